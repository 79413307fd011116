import { join } from 'node:path';
import type { CacheConfig } from '../config/index.js';
import { createFileCache, type FileCache } from '../storage/cache/index.js';

/** Of the room for encoded scenes, so much more is there for drawings. */
const DRAWINGS_PART = 16;

/** Drawn texts of earlier runs, and what their frames were drawn by. */
export function openDrawings(cacheDir: string, { maxSegmentBytes }: CacheConfig): FileCache {
  return createFileCache({ folder: join(cacheDir, 'drawings'), maxBytes: maxSegmentBytes / DRAWINGS_PART });
}
