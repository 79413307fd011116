import { randomUUID } from 'node:crypto';
import { constants, copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Moves a file that is synced already to its final name, atomically, also across file systems. When this resolves, the file
 * and its directory entry survive a power loss.
 */
export async function publishFile(from: string, to: string): Promise<void> {
  await move(from, to, syncPath);
  await syncPath(dirname(to));
}

/** Moves a file atomically without syncing it: for files that can be made again. */
export async function moveFile(from: string, to: string): Promise<void> {
  await move(from, to, async () => {});
}

async function move(from: string, to: string, settle: (copy: string) => Promise<void>): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    await copyWhole(from, to, settle);
    await rm(from, { force: true });
  }
}

async function copyWhole(from: string, to: string, settle: (copy: string) => Promise<void>): Promise<void> {
  const partial = `${to}.${randomUUID()}.partial`;
  try {
    await copyFile(from, partial, constants.COPYFILE_FICLONE);
    await settle(partial);
    await rename(partial, to);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Errors of file systems that cannot sync folders. */
const unsupportedSyncCodes = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF', 'EISDIR']);

async function syncPath(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY);
  try {
    await file.sync();
  } catch (error) {
    if (!unsupportedSyncCodes.has(codeOf(error) ?? '') || !(await file.stat()).isDirectory()) throw error;
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
