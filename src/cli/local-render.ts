import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { type EngineProcess, startEngineProcess } from '../engine/index.js';
import type { LocalParts } from './local-parts.js';

export interface LocalOptions {
  /** Where encoded scenes and drawn texts are kept. Default: nowhere. */
  cacheDir?: string | false;
  decodesAhead?: boolean;
}

/** Runs `act` with everything a render needs in this process, and a work folder that is gone afterwards. */
export function withLocalRender<T>(
  moviePath: string,
  config: Config,
  act: (parts: LocalParts, workDir: string) => Promise<T>,
  options: LocalOptions = {},
): Promise<T> {
  return withLocalEngine(moviePath, config, async (engine, workDir) => act(await openLocalParts(moviePath, config, { engine, workDir }, options), workDir));
}

/** The same with the engine alone: it starts while the modules are loaded and the movie is read. */
export async function withLocalEngine<T>(moviePath: string, config: Config, act: (engine: EngineProcess, workDir: string) => Promise<T>): Promise<T> {
  const workDir = await mkdtemp(join(tmpdir(), 'framewright-'));
  const engine = startEngineProcess({ ...config.sandbox, folder: workDir, readable: [folderOf(moviePath)] });
  try {
    return await act(engine, workDir);
  } finally {
    await removeFolder(workDir, engine.close());
  }
}

/** While the engine dies: one that rested leaves nothing behind, and what one that still wrote has left goes when it is dead. */
async function removeFolder(workDir: string, gone: Promise<void>): Promise<void> {
  const isRemoved = removeTree(workDir);
  // Also where all is removed: the dead are to be buried by whoever started them, as nobody else does so in many containers.
  await gone;
  if (!isRemoved) await rm(workDir, { recursive: true, force: true });
}

/** Without what Node loads for it first, which takes longer than the removal. False: something is left. */
function removeTree(folder: string): boolean {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) unlinkSync(path);
      else if (!removeTree(path)) return false;
    }
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** What else a render needs; fails where the operator relies on an encoder that cannot be had. */
export async function openLocalParts(
  moviePath: string,
  config: Config,
  { engine, workDir }: { engine: EngineProcess; workDir: string },
  { cacheDir = false, decodesAhead = false }: LocalOptions,
): Promise<LocalParts> {
  const { createLocalParts } = await import('./local-parts.js');
  const parts = createLocalParts({ engine, config, workDir, folder: folderOf(moviePath), cacheDir, decodesAhead });
  await parts.encoders.checkRequired(engine);
  return parts;
}

/** What a movie names is looked for beside it. */
export function folderOf(moviePath: string): string {
  return dirname(resolve(moviePath));
}
