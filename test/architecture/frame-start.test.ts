import { expect, it } from 'vitest';
import { ownerOf, reachableFrom } from './source-files.js';
import { loadedWith, typescriptFiles } from './typescript-imports.js';

const edges = typescriptFiles.flatMap((from) => loadedWith(from).map((to) => ({ from, to })));

/** All else is loaded for a script that is not drawn by what was kept, or for what is wrong with one. */
it('loads no module that parses scripts or draws before the engine starts', () => {
  const loaded = [...reachableFrom('src/cli/run-cli.ts', edges), ...reachableFrom('src/cli/commands/movies/frame.ts', edges)];
  expect(loaded.length).toBeGreaterThan(20);
  expect([...new Set(loaded.map(ownerOf))].sort()).toEqual(['cli', 'config', 'engine', 'errors']);
  const stored = ['plan-cache', 'still-cache', 'cache-key'].flatMap((name) => [...reachableFrom(`src/cli/frame-cache/${name}.ts`, edges)]);
  expect([...new Set(stored.map(ownerOf))].sort()).toEqual(['cli', 'config']);
});
