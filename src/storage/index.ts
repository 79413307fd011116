export type { Storage, StoredEntry, StoredFile } from './local-storage.js';
export { createLocalStorage } from './local-storage.js';
