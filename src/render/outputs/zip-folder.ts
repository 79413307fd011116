import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The time of every entry, so that equal files give equal archives. */
const ENTRY_TIME = new Date(Date.UTC(2000, 0, 1));

/** Writes the files of a folder into a ZIP file, which appears when it is complete. They are stored as they are, because images are compressed already. */
export async function zipFolder(folder: string, path: string, signal: AbortSignal): Promise<void> {
  const zip = new ZipFile();
  for (const name of (await readdir(folder)).sort()) zip.addFile(join(folder, name), name, { compress: false, mtime: ENTRY_TIME, mode: 0o100644 });
  zip.end();
  const part = `${path}.part`;
  try {
    await pipeline(zip.outputStream, createWriteStream(part), { signal });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
