import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { voiceModels } from '../../../../src/providers/speech/index.js';

it('the models that speak are those that the schema allows, and none', () => {
  const schema = JSON.parse(readFileSync(new URL('../../../../schema/movie.schema.json', import.meta.url), 'utf8')) as {
    $defs: { voice: { properties: { model: { enum: Array<string | null>; default: string } } } };
  };
  const { enum: allowed, default: fallback } = schema.$defs.voice.properties.model;
  expect(allowed.filter((model) => model !== null)).toEqual([...voiceModels, 'none']);
  expect(voiceModels).toContain(fallback);
});
