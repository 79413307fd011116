import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/index.js';
import { describeBuild } from '../../config/precompiled/index.js';
import { fileState } from './file-state.js';

/** Increase it when the format of cached plans or stills changes. */
const cacheFormatVersion = 2;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Installed files that influence the output of this build: the engine, the schemas, npm packages, fonts and shared libraries. */
const installed = [
  ...['build/Release/framewright-engine', 'schema/movie.schema.json', 'schema/exports.schema.json', 'schema/timeline.schema.json'].map((path) =>
    join(root, path),
  ),
  ...ancestors(root).flatMap((folder) =>
    ['.package-lock.json', '@fontsource', '@napi-rs/canvas/package.json'].map((path) => join(folder, 'node_modules', path)),
  ),
  // Rewritten whenever shared libraries are installed; some of them decode images.
  '/etc/ld.so.cache',
];

export interface PlanKeyInput {
  /** The script as it was read from the file. */
  text: string;
  /** Folder of the movie file. */
  folder: string;
  /** Result of `buildKey()`. */
  build: string;
}

/** Hashes the build, the configuration and the installed files: everything but the script and its media that influences a frame. */
export async function buildKey(config: Config, installedFiles: readonly string[] = installed): Promise<string> {
  const states = await Promise.all(installedFiles.map(fileState));
  return createHash('sha256')
    .update(JSON.stringify([cacheFormatVersion, describeBuild(), states, config]))
    .digest('hex');
}

/** Hashes everything that influences the plan of a script, except the files that the script names. */
export async function planKey({ text, folder, build }: PlanKeyInput): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify([build, await realpath(folder)]))
    .update(text)
    .digest('hex');
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}
