import { createHash, randomBytes } from 'node:crypto';
import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Premultiplied RGBA, rows top down without padding. */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const headerBytes = 16;
const version = 1;

/** The bytes of a sprite file as native/formats/sprite_file.h reads it. */
export function encodeSprite(bitmap: Bitmap): Buffer {
  const file = Buffer.alloc(headerBytes + bitmap.pixels.length);
  file.write('FWSP', 'latin1');
  file.writeUInt32LE(version, 4);
  file.writeUInt32LE(bitmap.width, 8);
  file.writeUInt32LE(bitmap.height, 12);
  file.set(bitmap.pixels, headerBytes);
  return file;
}

export function spriteFileBytes(width: number, height: number): number {
  return headerBytes + width * height * 4;
}

/** A reader sees the whole file or none; a file that another writer finished first is simply replaced by its equal. */
export async function writeFileAtomically(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
  await writeFile(temporary, bytes);
  await rename(temporary, path);
}

export async function hasSize(path: string, bytes: number): Promise<boolean> {
  try {
    return (await stat(path)).size === bytes;
  } catch {
    return false;
  }
}

/** Writes a sprite under the hash of its content, unless it is there, and returns the file's name. */
export async function storeSprite(folder: string, bitmap: Bitmap): Promise<string> {
  const bytes = encodeSprite(bitmap);
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.fwsp`;
  const path = join(folder, name);
  if (!(await hasSize(path, bytes.length))) await writeFileAtomically(path, bytes);
  return name;
}
