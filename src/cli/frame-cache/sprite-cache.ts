import { join } from 'node:path';
import type { CacheConfig } from '../../config/index.js';
import { createFileCache, type FileCache } from '../../storage/cache/index.js';

/** The cache gets 1/16 of the size limit of encoded scenes, in addition to it. */
const SEGMENT_BYTES_PER_SPRITE_BYTE = 16;

/** Opens the cache of rendered text sprites, frame plans and scaled stills. */
export function openSpriteCache(cacheDir: string, { maxSegmentBytes }: CacheConfig): FileCache {
  return createFileCache({ folder: join(cacheDir, 'drawings'), maxBytes: maxSegmentBytes / SEGMENT_BYTES_PER_SPRITE_BYTE });
}
