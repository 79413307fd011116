import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { typescriptFiles } from '../../architecture/typescript-imports.js';

const room = new URL('../../../src/contract/', import.meta.url);

it('the generated types are those of schema/; `npm run types` writes them', async () => {
  const { generateTypes } = (await import(new URL('make-types.mjs', room).href)) as { generateTypes(): Promise<Record<string, string>> };
  const generated = await generateTypes();
  const paths = Object.keys(generated).map((name) => `src/contract/${name}`);
  expect(typescriptFiles.filter((path) => path.endsWith('.generated.ts')).sort()).toEqual(paths.sort());
  for (const [name, text] of Object.entries(generated)) expect(readFileSync(new URL(name, room), 'utf8'), name).toBe(text);
});
