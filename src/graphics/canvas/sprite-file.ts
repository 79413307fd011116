import { createHash, randomBytes } from 'node:crypto';
import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gradientSpriteSuffix } from '../../timeline/index.js';

/** Premultiplied RGBA pixels, 8 bits per channel, rows top down without padding. */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array;
  /** Whether the pixels contain gradients, which the engine keeps smooth by dithering. */
  hasGradient?: boolean;
}

const headerBytes = 16;
const version = 1;
const gradientVersion = 2;

/** Encodes a sprite file in the format of native/formats/sprite_file.h. */
function encodeSprite(bitmap: Bitmap): Buffer {
  const file = Buffer.alloc(headerBytes + bitmap.pixels.length);
  file.write('FWSP', 'latin1');
  file.writeUInt32LE(bitmap.hasGradient ? gradientVersion : version, 4);
  file.writeUInt32LE(bitmap.width, 8);
  file.writeUInt32LE(bitmap.height, 12);
  file.set(bitmap.pixels, headerBytes);
  return file;
}

/** Size of a sprite file in bytes. */
export function spriteFileBytes(width: number, height: number): number {
  return headerBytes + width * height * 4;
}

/** Writes a file under a temporary name and renames it, so that readers never see a partial file. Replaces an existing file. */
export async function writeFileAtomically(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
  await writeFile(temporary, bytes);
  await rename(temporary, path);
}

/** Returns whether the file exists with this size in bytes. */
export async function hasSize(path: string, bytes: number): Promise<boolean> {
  try {
    return (await stat(path)).size === bytes;
  } catch {
    return false;
  }
}

/** Stores a sprite under the hash of its content, unless it exists. Returns the file name. */
export async function storeSprite(folder: string, bitmap: Bitmap): Promise<string> {
  const bytes = encodeSprite(bitmap);
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}${bitmap.hasGradient ? gradientSpriteSuffix : '.fwsp'}`;
  const path = join(folder, name);
  if (!(await hasSize(path, bytes.length))) await writeFileAtomically(path, bytes);
  return name;
}
