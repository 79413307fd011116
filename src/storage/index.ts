export { createLocalStorage } from './local-storage.js';
export { createShelf, createStorage, type StoragePlace } from './open-storage.js';
export type { BucketPlace } from './s3-client.js';
export type { Shelf } from './shelf.js';
export type { LentFile, Storage, StoredEntry, StoredFile } from './storage.js';
