import { copyFile, mkdir, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { vi } from 'vitest';

/** A modification time in the past (Unix seconds): caches skip files that are only seconds old. */
export const writtenAt = [1_700_000_000, 1_700_000_000] as const;

/**
 * So many folders below `folder`, each with copies of the media in it: of such as were written a moment ago nothing is kept, so this waits
 * until they are older.
 */
export async function makeFoldersOfAgedMedia(folder: string, media: string[], count: number): Promise<string[]> {
  const folders = Array.from({ length: count }, (_, k) => join(folder, `movie-${k}`));
  for (const own of folders) {
    await mkdir(own);
    for (const path of media) {
      await copyFile(path, join(own, basename(path)));
      await utimes(join(own, basename(path)), ...writtenAt);
    }
  }
  const copiedAt = Date.now();
  await vi.waitUntil(() => Date.now() - copiedAt > 2100, { timeout: 10_000 });
  return folders;
}
