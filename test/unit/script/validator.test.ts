import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { templateValidation } from '../../../src/script/template-script.js';
import { scriptValidation } from '../../../src/script/validation/schema.js';
import { buildValidator, loadValidator, type ValidatorSource } from '../../../src/script/validation/validator.js';

// Inside the checkout: what is built needs Ajv's own helpers.
const place = fileURLToPath(new URL('../../../dist/.validators-', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(place);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const options = { strict: true, ownProperties: true, verbose: true };
const small = (maxLength: number): ValidatorSource => ({ name: 'small', schema: { type: 'string', maxLength }, options });

it('is what the build made, as long as the schema is the same', () => {
  const path = buildValidator(small(3), folder);
  // A mark that shows which one it is.
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('must NOT have more', 'built: must NOT have more'));
  const messageOf = (source: ValidatorSource, text: string) => {
    const validate = loadValidator(source, folder);
    return validate(text) ? undefined : validate.errors?.[0]?.message;
  };
  expect(messageOf(small(3), 'four')).toBe('built: must NOT have more than 3 characters');
  expect(messageOf(small(2), 'abc')).toBe('must NOT have more than 2 characters');
  expect(messageOf({ ...small(3), options: { ...options, allErrors: true } }, 'four')).toBe('must NOT have more than 3 characters');
});

it('is compiled where nothing was built, or something broken', () => {
  writeFileSync(join(folder, 'broken.cjs'), 'module.exports = (');
  for (const name of ['missing', 'broken']) expect(loadValidator({ ...small(3), name }, folder)('four')).toBe(false);
});

it('says the same, built and compiled', () => {
  const scripts: unknown[] = [
    { scenes: [{ duration: 2, elements: [{ type: 'text', text: 'x' }] }] },
    {},
    [],
    'text',
    { scenes: [] },
    { scenes: [{ duration: -3 }], width: '1920' },
    { scenes: [{ elements: [{ type: 'text' }, { type: 'image', sorce: 'x' }] }] },
    { scenes: [{ elements: [{ type: 'nothing' }] }], fps: 1000, quality: 'best' },
    { scenes: [{ 'background-color': 5, transition: { style: 'fadee' } }], __proto__x: 1 },
    JSON.parse('{"scenes":[{"elements":[{"type":"text","text":"x","__proto__":{}}]}]}'),
  ];
  for (const source of [scriptValidation, templateValidation()]) {
    buildValidator(source, folder);
    const built = loadValidator(source, folder);
    const compiled = loadValidator(source, '/nowhere');
    for (const script of scripts) {
      expect(built(script)).toBe(compiled(script));
      expect(built.errors).toEqual(compiled.errors);
    }
  }
});
