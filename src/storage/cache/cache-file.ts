import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Format of a cached file: a header, then the bytes. The header has their count and a hash of key and bytes, which detects files
 * under a wrong name and files truncated by a power failure (writes are not flushed to disk).
 */
const MAGIC = Buffer.from('FWKEPT1\n');
const HASH_BYTES = 32;
/** Size of the header before the content. */
export const HEADER_BYTES = MAGIC.length + 8 + HASH_BYTES;
const CHUNK_BYTES = 1 << 20;

/** Size of the copied content, or `damaged` when header or hash do not match. */
export type CopyResult = { bytes: number } | 'damaged';

/** Writes the file `from` in the cache format to `to`, which must not exist; returns the size including the header. */
export async function writeCacheFile(key: string, from: string, to: string): Promise<number> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'wx', 0o600);
  const { bytes, hash } = await copyBytes(key, { file: source, position: 0 }, { file: target, position: HEADER_BYTES });
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeBigUInt64LE(BigInt(bytes), MAGIC.length);
  hash.copy(header, HEADER_BYTES - HASH_BYTES);
  await writeAll(target, header, 0);
  return HEADER_BYTES + bytes;
}

/** Copies the content of a cached file to `to`. Works even if another process removes the file meanwhile. */
export async function readCacheFile(key: string, from: string, to: string): Promise<CopyResult> {
  await using source = await open(from, 'r');
  const header = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await source.read(header, 0, HEADER_BYTES, 0);
  if (bytesRead < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) return 'damaged';
  const { size } = await source.stat();
  if (BigInt(size - HEADER_BYTES) !== header.readBigUInt64LE(MAGIC.length)) return 'damaged';
  await using target = await open(to, 'w', 0o600);
  const { bytes, hash } = await copyBytes(key, { file: source, position: HEADER_BYTES }, { file: target, position: 0 });
  if (!hash.equals(header.subarray(HEADER_BYTES - HASH_BYTES))) return 'damaged';
  const now = new Date();
  // Eviction is by least recent use.
  await source.utimes(now, now);
  return { bytes };
}

interface FilePosition {
  file: FileHandle;
  position: number;
}

async function copyBytes(key: string, from: FilePosition, to: FilePosition): Promise<{ bytes: number; hash: Buffer }> {
  const hash = createHash('sha256').update(key);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await from.file.read(chunk, 0, CHUNK_BYTES, from.position + bytes);
    if (bytesRead === 0) return { bytes, hash: hash.digest() };
    const part = chunk.subarray(0, bytesRead);
    hash.update(part);
    await writeAll(to.file, part, to.position + bytes);
    bytes += bytesRead;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}
