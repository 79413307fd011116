import { readFileSync } from 'node:fs';
import type { TextPiece } from '../../src/graphics/index.js';
import type { Image } from './golden-image.js';

/** Reads a sprite file by the specification in native/formats/sprite_file.h, independently of the writer. */
export function readSprite(path: string): Image {
  const file = readFileSync(path);
  if (file.toString('latin1', 0, 4) !== 'FWSP' || ![1, 2].includes(file.readUInt32LE(4))) throw new Error(`${path} is no sprite of version 1 or 2`);
  const width = file.readUInt32LE(8);
  const height = file.readUInt32LE(12);
  if (file.length !== 16 + width * height * 4) throw new Error(`${path} has ${file.length} bytes for ${width}x${height}`);
  return { width, height, pixels: new Uint8ClampedArray(file.subarray(16)) };
}

/** Blends the pieces in a box like the compositor, over an opaque grey if one is given. */
export function composePieces(pieces: readonly TextPiece[], box: { width: number; height: number }, grey?: number): Image {
  const pixels = new Float64Array(box.width * box.height * 4);
  if (grey !== undefined) for (let i = 0; i < pixels.length; i++) pixels[i] = i % 4 === 3 ? 255 : grey;
  for (const piece of pieces) {
    const sprite = readSprite(piece.path);
    for (let y = Math.max(0, -piece.y); y < Math.min(sprite.height, box.height - piece.y); y++) {
      for (let x = Math.max(0, -piece.x); x < Math.min(sprite.width, box.width - piece.x); x++) {
        const from = (y * sprite.width + x) * 4;
        const to = ((y + piece.y) * box.width + x + piece.x) * 4;
        const rest = 1 - (sprite.pixels[from + 3] as number) / 255;
        for (let c = 0; c < 4; c++) pixels[to + c] = (sprite.pixels[from + c] as number) + (pixels[to + c] as number) * rest;
      }
    }
  }
  return { ...box, pixels: Uint8ClampedArray.from(pixels) };
}
