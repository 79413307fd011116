import { createHash } from 'node:crypto';
import type { FileCache } from './file-cache.js';

/** The same cache for one party alone: it finds nothing that others keep, and others find nothing of its own. */
export function createScopedCache(cache: FileCache, party: string): FileCache {
  const own = (key: string): string =>
    createHash('sha256')
      .update(JSON.stringify([party, key]))
      .digest('hex');
  return { get: (key, path) => cache.get(own(key), path), put: (key, path) => cache.put(own(key), path) };
}
