import type { Environment } from './environment.js';

export interface PreviewConfig {
  /** Processes that draw previews on this host at most; 0: there are none. */
  workers: number;
}

export function parsePreviewConfig(environment: Environment): PreviewConfig {
  return Object.freeze({ workers: environment.integer('FRAMEWRIGHT_PREVIEW_WORKERS', 1, { min: 0, max: 64 }) });
}
