import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/index.js';
import { describeBuild } from '../../config/precompiled/index.js';
import { fileState } from './file-state.js';

/** Raised whenever what is kept looks otherwise. */
const keptVersion = 2;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What is installed beside this build, and decides what it makes of a script: the engine, what scripts are checked by, packages, fonts and libraries. */
const installed = [
  ...['build/Release/framewright-engine', 'schema/movie.schema.json', 'schema/exports.schema.json', 'schema/timeline.schema.json'].map((path) =>
    join(root, path),
  ),
  ...ancestors(root).flatMap((folder) =>
    ['.package-lock.json', '@fontsource', '@napi-rs/canvas/package.json'].map((path) => join(folder, 'node_modules', path)),
  ),
  // Rewritten whenever libraries are installed: some of them decode pictures.
  '/etc/ld.so.cache',
];

export interface Planned {
  /** The script, as it was read. */
  text: string;
  /** The movie's own. */
  folder: string;
  /** `buildKey()` */
  build: string;
}

/** Everything that decides what this build makes of a script or a picture, but these; `beside` is what it works with. */
export async function buildKey(config: Config, beside: readonly string[] = installed): Promise<string> {
  const states = await Promise.all(beside.map(fileState));
  return createHash('sha256')
    .update(JSON.stringify([keptVersion, describeBuild(), states, config]))
    .digest('hex');
}

/** Everything that decides what is planned for a script, but the files that it names. */
export async function planKey({ text, folder, build }: Planned): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify([build, await realpath(folder)]))
    .update(text)
    .digest('hex');
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}
