export type { Asset, AssetKind, AssetLimits, AssetParts, Assets, MediaFacts } from './assets.js';
export { createAssets, pictureLimits } from './assets.js';
