import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from './paths.mjs';

/** Sorted paths of the files below a folder that match, relative to the checkout. */
export function listFiles(folder, matches) {
  return readdirSync(inRoot(folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path, matches) : matches(path) ? [path] : [];
    })
    .sort();
}

/** Hash of the names and contents of files and of further strings. */
export function hashOf(files, strings = []) {
  const hash = createHash('sha256');
  for (const text of strings) hash.update(`${text}\0`);
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** A file that stores the key of a build product. It is in the product's folder, so that deleting the product deletes the stamp. */
export function createStamp(...pathParts) {
  const path = inRoot(...pathParts);
  return {
    matches(key) {
      try {
        return readFileSync(path, 'utf8') === key;
      } catch {
        return false;
      }
    },
    write(key) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, key);
    },
  };
}
