import { createHash } from 'node:crypto';
import type { FileCache } from './file-cache.js';

/** The same cache for one party alone: it finds nothing that others keep, and others find nothing of its own. */
export function partOfCache(cache: FileCache, party: string): FileCache {
  const own = (key: string): string =>
    createHash('sha256')
      .update(JSON.stringify([party, key]))
      .digest('hex');
  return { take: (key, path) => cache.take(own(key), path), keep: (key, path) => cache.keep(own(key), path) };
}
