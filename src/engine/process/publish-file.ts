import { randomUUID } from 'node:crypto';
import { constants, copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Moves a file that is on disk already to its final name. It appears whole, also on another disk, and when this resolves it outlasts a power
 * cut: its bytes, and the name in its folder.
 */
export async function publishFile(from: string, to: string): Promise<void> {
  await move(from, to, syncPath);
  await syncPath(dirname(to));
}

/** The same of what is soon made again: it appears whole, and what a power cut leaves of it is the disk's to say. */
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

/** File systems that know no syncing of folders say so; there is nothing more that could be done there. */
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
