import { join, resolve } from 'node:path';
import type { Environment } from './environment.js';

export interface CacheConfig {
  /** Absolute. Encoded packets of earlier renders. */
  segmentsDir: string;
  /** 0: nothing is kept. */
  maxSegmentBytes: number;
  /** Whether somebody said where: what works without the service keeps nothing unasked. */
  isNamed: boolean;
}

const MEGABYTE = 1_000_000;

export function parseCacheConfig(environment: Environment, dataDir: string): CacheConfig {
  const named = environment.text('FRAMEWRIGHT_CACHE_DIR');
  return Object.freeze({
    segmentsDir: join(named === undefined ? join(dataDir, 'cache') : resolve(named), 'segments'),
    maxSegmentBytes: environment.integer('FRAMEWRIGHT_CACHE_MB', 4096, { min: 0, max: 100_000_000 }) * MEGABYTE,
    isNamed: (named ?? environment.text('FRAMEWRIGHT_DATA_DIR')) !== undefined,
  });
}
