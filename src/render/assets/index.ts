export type { Asset, Assets, MediaMetadata } from './assets.js';
export { createAssets, imageLimits } from './assets.js';
export { cacheAssets } from './cache-assets.js';
export { hashFile } from './file-hash.js';
export { Semaphore } from './semaphore.js';
