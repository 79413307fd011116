import { stat } from 'node:fs/promises';
import { hashFile } from '../assets/index.js';

/** What is in the files that a movie is made of. */
export interface SourceHashes {
  /** Hash of the file's bytes. */
  hashOf(path: string): Promise<string>;
  /** Whether the file is still the one that was hashed. */
  isUnchanged(path: string): Promise<boolean>;
}

/** Each file is read once. */
export function createSourceHashes(): SourceHashes {
  const seen = new Map<string, Promise<{ hash: string; state: string }>>();
  const look = (path: string): Promise<{ hash: string; state: string }> => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const looking = (async () => ({ state: await fileStateOf(path), hash: await hashFile(path) }))();
    seen.set(path, looking);
    return looking;
  };
  return {
    hashOf: async (path) => (await look(path)).hash,
    isUnchanged: async (path) => (await look(path)).state === (await fileStateOf(path)),
  };
}

async function fileStateOf(path: string): Promise<string> {
  const { ino, size, mtimeMs, ctimeMs } = await stat(path);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
