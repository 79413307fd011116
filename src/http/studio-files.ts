import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of the page, as it goes over the wire. */
export interface StudioFile {
  type: string;
  plain: Buffer;
  gzip: Buffer | undefined;
  brotli: Buffer | undefined;
}

export interface StudioFiles {
  /** The page itself, with `__NONCE__` where each answer has its own. */
  page: string;
  /** By name; a name changes with what the file holds. */
  files: ReadonlyMap<string, StudioFile>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads what the set-up built, all at once, so that a build meanwhile mixes nothing; undefined when nothing is built. */
export function readStudioFiles(folder: string): StudioFiles | undefined {
  try {
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const names = new Set(readdirSync(join(folder, 'studio')));
    const read = (name: string): Buffer | undefined => (names.has(name) ? readFileSync(join(folder, 'studio', name)) : undefined);
    const files = new Map<string, StudioFile>();
    for (const name of names) {
      const type = types[extname(name)];
      const plain = type === undefined ? undefined : read(name);
      if (type !== undefined && plain !== undefined) files.set(name, { type, plain, gzip: read(`${name}.gz`), brotli: read(`${name}.br`) });
    }
    return { page, files };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
