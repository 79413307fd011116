import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** A path inside the checkout. */
export const inRoot = (...parts) => join(root, ...parts);

/** Everything that set-up itself writes, apart from the products, lies here. */
export const buildFolder = inRoot('build');
