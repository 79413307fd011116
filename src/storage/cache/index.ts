export type { FileCache, FileCacheSettings } from './file-cache.js';
export { createFileCache } from './file-cache.js';
export { partOfCache } from './part-of-cache.js';
