import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type Environment } from './environment.js';

/** Component packs of the operator. */
export interface PacksConfig {
  /** Absolute path of the folder of the operator's packs; undefined: only the built-in ones. */
  folder: string | undefined;
}

export function parsePacksConfig(environment: Environment): PacksConfig {
  const named = environment.text('FRAMEWRIGHT_PACKS_DIR');
  if (named === undefined) return Object.freeze({ folder: undefined });
  const folder = resolve(named);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new ConfigError('FRAMEWRIGHT_PACKS_DIR', `"${named}" is not a folder`);
  return Object.freeze({ folder });
}
