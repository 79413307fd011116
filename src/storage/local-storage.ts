import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface StoredFile {
  sizeBytes: number;
  modifiedAt: Date;
  /** Bytes first..last, both included; default all. */
  read(range?: { first: number; last: number }): Readable;
}

/** Finished files by name. Names are made by the service, never by clients. */
export interface Storage {
  /** Local path under which a render may leave the file called `name`. */
  pathFor(name: string): string;
  open(name: string): Promise<StoredFile | undefined>;
  remove(name: string): Promise<void>;
}

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\.[a-z0-9]+$/;

/** Keeps outputs in one folder of this machine. */
export async function createLocalStorage(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true });
  const pathFor = (name: string): string => {
    if (!SAFE_NAME.test(name)) throw new Error('not a name of a stored file');
    return join(folder, name);
  };
  return {
    pathFor,
    async open(name) {
      if (!SAFE_NAME.test(name)) return undefined;
      const path = pathFor(name);
      const facts = await stat(path).catch(() => undefined);
      if (facts === undefined || !facts.isFile()) return undefined;
      return {
        sizeBytes: facts.size,
        modifiedAt: facts.mtime,
        read: (range) => createReadStream(path, range === undefined ? {} : { start: range.first, end: range.last }),
      };
    },
    async remove(name) {
      const path = pathFor(name);
      // A render that was killed while it wrote leaves the file under this name.
      await Promise.all([path, `${path}.part`].map((file) => rm(file, { force: true })));
    },
  };
}
