import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Storage } from './storage.js';

/** A finished file, or one that is being written or was left by a writer that died. */
const ENTRY = /^([A-Za-z0-9][A-Za-z0-9_-]*\.mp4)(\.part|\.[0-9a-f-]{36}\.partial)?$/;

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\.[a-z0-9]+$/;

/** Keeps outputs in one folder of this machine. */
export async function createLocalStorage(folder: string): Promise<Storage> {
  await makeLasting(resolve(folder));
  const pathFor = (name: string): string => {
    if (!SAFE_NAME.test(name)) throw new Error('not a name of a stored file');
    return join(folder, name);
  };
  const sizeOf = async (name: string): Promise<number | undefined> => (await stat(pathFor(name)).catch(() => undefined))?.size;
  return {
    pathFor,
    commit: sizeOf,
    async openLocal(name) {
      const sizeBytes = await sizeOf(name);
      return sizeBytes === undefined ? undefined : { path: pathFor(name), sizeBytes, [Symbol.asyncDispose]: async () => {} };
    },
    async open(name) {
      if (!SAFE_NAME.test(name)) return undefined;
      const path = pathFor(name);
      const facts = await stat(path).catch(() => undefined);
      if (facts === undefined || !facts.isFile()) return undefined;
      return {
        sizeBytes: facts.size,
        modifiedAt: facts.mtime,
        read: async (range) => (await open(path)).createReadStream(range === undefined ? {} : { start: range.first, end: range.last }),
      };
    },
    async remove(name) {
      const path = pathFor(name);
      // A render that was killed while it wrote leaves the file under this name.
      await Promise.all([path, `${path}.part`].map((file) => rm(file, { force: true })));
    },
    async *list() {
      for await (const { name: file } of await opendir(folder)) {
        const [, name, partial] = ENTRY.exec(file) ?? [];
        if (name !== undefined) yield { name, isWhole: partial === undefined, remove: () => rm(join(folder, file), { force: true }) };
      }
    },
  };
}

/** Whoever writes a file syncs its name in the folder; the folder's own name, and those of the folders made for it, are synced here. */
async function makeLasting(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  // Where a file system knows no such thing, there is nothing more that could be done.
  await folder.sync().catch(() => {});
}
