import type { Fields } from './fields.js';

/** Only what is not the rule is in a Movie. */
export function parseCache(fields: Fields): { cache?: false } {
  return fields.find('cache')?.value === false ? { cache: false } : {};
}
