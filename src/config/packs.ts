import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type Environment } from './environment.js';

export interface PacksConfig {
  /** Folder with the operator's own component packs, absolute; undefined: only those that are shipped. */
  folder: string | undefined;
}

export function parsePacksConfig(environment: Environment): PacksConfig {
  const named = environment.text('FRAMEWRIGHT_PACKS_DIR');
  if (named === undefined) return Object.freeze({ folder: undefined });
  const folder = resolve(named);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new ConfigError('FRAMEWRIGHT_PACKS_DIR', `"${named}" is not a folder`);
  return Object.freeze({ folder });
}
