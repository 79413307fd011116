export { createLocalStorage } from './local-storage.js';
export { createStorage, type StoragePlace } from './open-storage.js';
export type { LentFile, Storage, StoredEntry, StoredFile } from './storage.js';
