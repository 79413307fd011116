export { LruCache } from './lru-cache.js';
export { maxFramesPerSecond, PreviewLimits } from './preview-limits.js';
export type { PreviewPoolOptions, PreviewRequest, Previews } from './preview-pool.js';
export { createPreviews } from './preview-pool.js';
export type {
  DrawOptions,
  FrameFormat,
  FrameTimes,
  PreviewFrame,
  PreviewSummary,
} from './preview-protocol.js';
