import { join, resolve } from 'node:path';
import type { Environment } from './environment.js';

export interface CacheConfig {
  /** Absolute. Encoded packets of earlier renders, for the service. */
  segmentsDir: string;
  /** 0: nothing is kept. */
  maxSegmentBytes: number;
  /** Absolute. What programs without a service keep; the service's own folder where one is named. Undefined: an account without a home keeps nothing. */
  commandLineDir: string | undefined;
}

const MEGABYTE = 1_000_000;

export function parseCacheConfig(environment: Environment, dataDir: string): CacheConfig {
  const named = environment.text('FRAMEWRIGHT_CACHE_DIR');
  const folder = named === undefined ? join(dataDir, 'cache') : resolve(named);
  const isNamed = (named ?? environment.text('FRAMEWRIGHT_DATA_DIR')) !== undefined;
  const home = environment.text('HOME');
  const account = environment.text('XDG_CACHE_HOME') ?? (home === undefined ? undefined : join(home, '.cache'));
  return Object.freeze({
    segmentsDir: join(folder, 'segments'),
    maxSegmentBytes: environment.integer('FRAMEWRIGHT_CACHE_MB', 4096, { min: 0, max: 100_000_000 }) * MEGABYTE,
    commandLineDir: isNamed ? folder : account && join(account, 'framewright'),
  });
}
