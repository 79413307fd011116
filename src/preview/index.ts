export { LruCache } from './lru-cache.js';
export { maxFramesPerSecond, PreviewLimits } from './preview-limits.js';
export type { Previews } from './preview-pool.js';
export { createPreviews } from './preview-pool.js';
export type { DrawOptions, FrameTimes, PreviewFrame } from './preview-protocol.js';
