export type { FileCache, FileCacheSettings } from './file-cache.js';
export { createFileCache, createScopedCache } from './file-cache.js';
