import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The HTTP client, loaded for the first connection: it is a good part of a start, and many a process never connects anywhere. */
export function undici(): typeof import('undici') {
  return require('undici') as typeof import('undici');
}
