import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { startEngineProcess } from '../engine/index.js';
import type { LocalParts } from './local-parts.js';

export interface LocalOptions {
  /** Where encoded scenes and drawn texts are kept. Default: nowhere. */
  cacheDir?: string | false;
  decodesAhead?: boolean;
}

/** Runs `act` with everything a render needs in this process, and a work folder that is gone afterwards. */
export async function withLocalRender<T>(
  moviePath: string,
  config: Config,
  act: (parts: LocalParts, workDir: string) => Promise<T>,
  { cacheDir = false, decodesAhead = false }: LocalOptions = {},
): Promise<T> {
  const workDir = await mkdtemp(join(tmpdir(), 'framewright-'));
  const folder = dirname(resolve(moviePath));
  // Before all else: it starts while the modules are loaded and the movie is read.
  const engine = startEngineProcess({ ...config.sandbox, folder: workDir, readable: [folder] });
  try {
    const { createLocalParts } = await import('./local-parts.js');
    const parts = createLocalParts({ engine, config, workDir, folder, cacheDir, decodesAhead });
    await parts.encoders.checkNamed(engine);
    return await act(parts, workDir);
  } finally {
    await engine.close();
    await rm(workDir, { recursive: true, force: true });
  }
}
