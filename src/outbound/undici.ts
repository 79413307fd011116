import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads undici on first use, which keeps the start of processes that never connect fast. */
export function undici(): typeof import('undici') {
  return require('undici') as typeof import('undici');
}
