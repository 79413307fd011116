import type { Fields } from './fields.js';

/** Parses `cache`; a Movie contains it only if it is false. */
export function parseCache(fields: Fields): { cache?: false } {
  return fields.find('cache')?.value === false ? { cache: false } : {};
}
