import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { type EngineProcess, startEngineProcess } from '../engine/index.js';
import type { LocalParts } from './local-parts.js';

export interface LocalOptions {
  /** Folder of the cache of encoded scenes and drawn texts; default: no cache. */
  cacheDir?: string | false;
  /** Whether images are decoded as soon as they are known. Default: false. */
  decodesAhead?: boolean;
}

/** Calls `use` with everything a render of this movie needs and a temporary work folder. */
export function withLocalRender<T>(
  moviePath: string,
  config: Config,
  use: (parts: LocalParts, workDir: string) => Promise<T>,
  options: LocalOptions = {},
): Promise<T> {
  return withLocalEngine(config, [folderOf(moviePath)], async (engine, workDir) =>
    use(await openLocalParts(moviePath, config, { engine, workDir }, options), workDir),
  );
}

/** Calls `use` with a sandboxed engine process, which may read the folders `readable`, and its temporary work folder. */
export async function withLocalEngine<T>(config: Config, readable: readonly string[], use: (engine: EngineProcess, workDir: string) => Promise<T>): Promise<T> {
  const workDir = await mkdtemp(join(tmpdir(), 'framewright-'));
  const engine = startEngineProcess({ ...config.sandbox, folder: workDir, readable: [...readable] });
  try {
    return await use(engine, workDir);
  } finally {
    const closed = engine.close();
    const isRemoved = removeTree(workDir);
    // Also awaited after a complete removal: in many containers only the parent reaps its child processes.
    await closed;
    // A busy engine may have written files until its end.
    if (!isRemoved) await rm(workDir, { recursive: true, force: true });
  }
}

/** Synchronous removal, because loading `rm` of node:fs takes longer than the removal itself. Returns false if something is left. */
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

/** Opens what else a render needs. Rejects if the configuration requires an encoder that does not open. */
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

/** The folder to which relative paths in a movie refer. */
export function folderOf(moviePath: string): string {
  return dirname(resolve(moviePath));
}
