import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** SHA-256 of a file's bytes, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await using file = await open(path, 'r');
  // One reused buffer: the chunks of a read stream would stay in memory until the next garbage collection.
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
  }
}
