import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from './paths.mjs';

/** Files below the folder, as sorted paths relative to the checkout. */
export function listFiles(folder, matches) {
  const found = [];
  const walk = (relative) => {
    for (const entry of readdirSync(inRoot(relative), { withFileTypes: true })) {
      const path = join(relative, entry.name);
      if (entry.isDirectory()) {
        walk(path);
      } else if (matches(path)) {
        found.push(path);
      }
    }
  };
  walk(folder);
  return found.sort();
}

/** One hash over the files' names and contents and the given facts. */
export function hashOf(files, facts = []) {
  const hash = createHash('sha256');
  for (const fact of facts) {
    hash.update(`${fact}\0`);
  }
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * A file that says from what a product was made. It lies inside the product's own folder, so that
 * deleting the product deletes the claim.
 */
export function createStamp(...place) {
  const path = inRoot(...place);
  return {
    matches(value) {
      try {
        return readFileSync(path, 'utf8') === value;
      } catch {
        return false;
      }
    },
    write(value) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, value);
    },
  };
}
