import type { Environment } from './environment.js';

export interface RetentionConfig {
  /** How long finished films are kept; undefined: for ever. */
  outputMs: number | undefined;
  /** Below this much free disk nothing new is rendered; 0: always rendered. */
  minFreeBytes: number;
}

const hourMs = 3_600_000;
const mebibyte = 1024 ** 2;

export function parseRetentionConfig(environment: Environment): RetentionConfig {
  const kept = environment.text('FRAMEWRIGHT_OUTPUT_RETENTION_HOURS');
  return Object.freeze({
    // An hour is more than webhooks and their retries take: what they name is still there.
    outputMs: kept === undefined ? undefined : environment.integer('FRAMEWRIGHT_OUTPUT_RETENTION_HOURS', 0, { min: 1, max: 876_000 }) * hourMs,
    minFreeBytes: environment.integer('FRAMEWRIGHT_MIN_FREE_DISK_MB', 1024, { min: 0, max: 100_000_000 }) * mebibyte,
  });
}
