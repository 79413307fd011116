export type { FileCache, FileCacheSettings } from './file-cache.js';
export { createFileCache } from './file-cache.js';
export { createScopedCache } from './part-of-cache.js';
