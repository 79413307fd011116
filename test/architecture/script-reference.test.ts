import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { movieSchema } from '../../src/movie/index.js';

interface Generator {
  scriptReference(schema: unknown): string;
}

it('docs/script.md says what the movie schema says; `npm run docs` writes it', async () => {
  const generator: string = new URL('../../docs/make/script-reference.mjs', import.meta.url).href;
  const { scriptReference } = (await import(generator)) as Generator;
  expect(readFileSync(new URL('../../docs/script.md', import.meta.url), 'utf8')).toBe(scriptReference(movieSchema));
});
