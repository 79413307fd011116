import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of Studio in the encodings that can be sent. */
export interface StudioFile {
  /** Media type. */
  type: string;
  plain: Buffer;
  gzip: Buffer | undefined;
  brotli: Buffer | undefined;
}

/** The built Studio. */
export interface StudioFiles {
  /** The HTML page; `__NONCE__` is replaced in each response. */
  page: string;
  /** By name; names contain a hash of the content. */
  files: ReadonlyMap<string, StudioFile>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads the built Studio completely, so that a later build cannot mix versions; undefined when it is not built. */
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
