import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the checkout. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A path inside the checkout. */
export const inRoot = (...parts) => join(root, ...parts);

/** Folder of the log and the lock of set-up. */
export const buildFolder = inRoot('build');
