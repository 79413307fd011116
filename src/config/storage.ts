import { join, resolve } from 'node:path';
import { ConfigError, type Environment } from './environment.js';

export interface StorageConfig {
  /** Absolute. Everything that the service keeps lies below it. */
  dataDir: string;
  /** Finished files. */
  outputsDir: string;
  /** One folder per attempt, gone afterwards. */
  workDir: string;
}

export function parseStorageConfig(environment: Environment): StorageConfig {
  const target = environment.text('FRAMEWRIGHT_STORAGE');
  if (target !== undefined) {
    throw new ConfigError('FRAMEWRIGHT_STORAGE', `"${target}" can not be served by this version: leave it unset, outputs are kept in FRAMEWRIGHT_DATA_DIR`);
  }
  const dataDir = resolve(environment.text('FRAMEWRIGHT_DATA_DIR') ?? './data');
  return Object.freeze({ dataDir, outputsDir: join(dataDir, 'outputs'), workDir: join(dataDir, 'work') });
}
