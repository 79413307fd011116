import { mkdir, open, opendir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isOutputName, outputExtensions, outputFolder } from './output-names.js';
import type { Storage, StoredEntry } from './storage.js';

/** A finished file, or a partial one that is being written or was left by a crash. */
const ENTRY = new RegExp(`^([A-Za-z0-9][A-Za-z0-9_/-]*\\.(?:${outputExtensions.join('|')}))(\\.part|\\.[0-9a-f-]{36}\\.partial)?$`);

const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[a-z0-9-]+)?\.[a-z0-9]+$/;

/** Stores outputs in one local folder, which is created if needed. */
export async function createLocalStorage(folder: string): Promise<Storage> {
  await createDurableFolder(resolve(folder));
  const pathFor = (name: string): string => {
    if (!SAFE_NAME.test(name)) throw new Error(`invalid name of a stored file: ${JSON.stringify(name)}`);
    return join(folder, name);
  };
  const filesOf = async (name: string): Promise<string[]> => {
    const parent = outputFolder(name);
    if (parent === undefined) return [name];
    const names = await readdir(join(folder, dirname(name))).catch(() => []);
    return names.map((file) => `${parent}/${file}`).filter((file) => SAFE_NAME.test(file));
  };
  const sizeOf = async (name: string): Promise<number | undefined> => (await stat(pathFor(name)).catch(() => undefined))?.size;
  return {
    pathFor,
    filesOf,
    async commit(name) {
      if ((await sizeOf(name)) === undefined) return undefined;
      const sizes = await Promise.all((await filesOf(name)).map(sizeOf));
      return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
    },
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
      if (outputFolder(name) !== undefined) return rm(dirname(path), { recursive: true, force: true });
      // A render killed while writing leaves a `.part` file.
      await Promise.all([path, `${path}.part`].map((file) => rm(file, { force: true })));
    },
    async *list() {
      for await (const entry of await opendir(folder)) {
        if (entry.isDirectory()) yield* listFolder(folder, entry.name);
        else yield* listed(folder, entry.name);
      }
    },
  };
}

/** The files of an output of several files. An empty folder is removed with the last of them. */
async function* listFolder(root: string, name: string): AsyncIterable<StoredEntry> {
  for (const file of await readdir(join(root, name)).catch(() => [])) {
    for (const entry of listed(root, `${name}/${file}`)) {
      const remove = async (): Promise<void> => {
        await entry.remove();
        await rmdir(join(root, name)).catch(() => {});
      };
      yield { ...entry, remove };
    }
  }
}

/** Other files than outputs may be the operator's and are not listed. */
function* listed(root: string, file: string): Iterable<StoredEntry> {
  const [, name, partial] = ENTRY.exec(file) ?? [];
  const isOutput = name !== undefined && ((name.endsWith('.mp4') && outputFolder(name) === undefined) || isOutputName(name));
  if (isOutput) yield { name, isWhole: partial === undefined, remove: () => rm(join(root, file), { force: true }) };
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
