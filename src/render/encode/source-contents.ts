import { stat } from 'node:fs/promises';
import { hashFile } from '../assets/index.js';

/** Content hashes of source files. */
export interface SourceHashes {
  /** Hash of the file's bytes. */
  hashOf(path: string): Promise<string>;
  /** Whether the file is unchanged since it was hashed. */
  isUnchanged(path: string): Promise<boolean>;
}

/** Creates the hashes of one render; each file is read once. */
export function createSourceHashes(): SourceHashes {
  const seen = new Map<string, Promise<{ hash: string; state: string }>>();
  const inspect = (path: string): Promise<{ hash: string; state: string }> => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const inspecting = (async () => ({ state: await fileStateOf(path), hash: await hashFile(path) }))();
    seen.set(path, inspecting);
    return inspecting;
  };
  return {
    hashOf: async (path) => (await inspect(path)).hash,
    isUnchanged: async (path) => (await inspect(path)).state === (await fileStateOf(path)),
  };
}

async function fileStateOf(path: string): Promise<string> {
  const { ino, size, mtimeMs, ctimeMs } = await stat(path);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
