export type { Asset, AssetKind, AssetLimits, AssetParts, Assets, MediaFacts } from './assets.js';
export { createAssets, pictureLimits } from './assets.js';
export { hashFile } from './file-hash.js';
export { Turnstile } from './turnstile.js';
