import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCli } from './cli.js';

export interface CachedRender {
  /** Path of an output by name; `main` is the movie's own. */
  path: (output: string, extension?: string) => string;
  /** Segments that came from the cache. */
  reused: number;
}

/** Renders all outputs of a script in a folder, with the cache in it. */
export async function cachedRender(folder: string, name: string, script: object): Promise<CachedRender> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(script));
  const { code, stderr } = await runCli(['render', file, '-o', join(folder, `${name}.mp4`), '--cache', join(folder, 'cache'), '--profile']);
  expect(code, stderr).toBe(0);
  return {
    reused: Number(/(\d+) scenes were reused/.exec(stderr)?.[1] ?? 0),
    path: (output, extension = 'mp4') => join(folder, `${name}${output === 'main' ? '' : `-${output}`}.${extension}`),
  };
}
