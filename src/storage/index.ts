export { createLocalStorage } from './local-storage.js';
export type { ObjectStore } from './object-store.js';
export { createObjectStore, createStorage, type StorageLocation } from './open-storage.js';
export type { BucketLocation } from './s3-client.js';
export type { LocalFile, Storage, StoredEntry, StoredFile } from './storage.js';
