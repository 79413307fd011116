export { createLocalStorage } from './local-storage.js';
export type { ObjectStore } from './object-store.js';
export { createObjectStore, createStorage } from './open-storage.js';
export { isOutputName, mimeTypeOf, outputFolder, outputStem, publicName } from './output-names.js';
export type { Storage, StoredEntry, StoredFile } from './storage.js';
