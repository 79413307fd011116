import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isOutputName, outputExtensions } from './output-names.js';
import type { Storage } from './storage.js';

/** A finished file, or a partial one that is being written or was left by a crash. */
const ENTRY = new RegExp(`^([A-Za-z0-9][A-Za-z0-9_-]*\\.(?:${outputExtensions.join('|')}))(\\.part|\\.[0-9a-f-]{36}\\.partial)?$`);

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\.[a-z0-9]+$/;

/** Stores outputs in one local folder, which is created if needed. */
export async function createLocalStorage(folder: string): Promise<Storage> {
  await createDurableFolder(resolve(folder));
  const pathFor = (name: string): string => {
    if (!SAFE_NAME.test(name)) throw new Error(`invalid name of a stored file: ${JSON.stringify(name)}`);
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
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined || !stats.isFile()) return undefined;
      return {
        sizeBytes: stats.size,
        modifiedAt: stats.mtime,
        read: async (range) => (await open(path)).createReadStream(range === undefined ? {} : { start: range.first, end: range.last }),
      };
    },
    async remove(name) {
      const path = pathFor(name);
      // A render killed while writing leaves a `.part` file.
      await Promise.all([path, `${path}.part`].map((file) => rm(file, { force: true })));
    },
    async *list() {
      for await (const { name: file } of await opendir(folder)) {
        const [, name, partial] = ENTRY.exec(file) ?? [];
        // Other files may be the operator's.
        const isOutput = name !== undefined && (name.endsWith('.mp4') || isOutputName(name));
        if (isOutput) yield { name, isWhole: partial === undefined, remove: () => rm(join(folder, file), { force: true }) };
      }
    },
  };
}

/** Creates a folder and syncs the directory entries of all folders created. Writers sync the entries of their own files. */
async function createDurableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  // Some file systems do not support syncing folders.
  await folder.sync().catch(() => {});
}
