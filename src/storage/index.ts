export type { Storage, StoredFile } from './local-storage.js';
export { createLocalStorage } from './local-storage.js';
