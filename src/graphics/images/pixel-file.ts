/** Argument of the decoder program, as JSON. */
export interface DecoderTask {
  /** Path of @napi-rs/canvas. */
  library: string;
  /** Output folder. */
  folder: string;
  files: readonly string[];
  /** Size of the target in pixels. */
  width: number;
  height: number;
}

/** Decoded pixels of an image. */
export interface RawImage {
  /** Size from the file; rasterized SVG images may have another pixel size. */
  natural: { width: number; height: number };
  width: number;
  height: number;
  /** Straight RGBA, 8 bits per channel, rows top down. */
  pixels: Uint8ClampedArray;
}

/** Pixel limit of one image. */
export const maxImagePixels = 50_000_000;

const headerBytes = 24;

/** Encodes an image: natural width and height as doubles, pixel size as 32-bit integers, pixels. */
export function packPixels({ natural, width, height, pixels }: RawImage): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeDoubleLE(natural.width, 0);
  header.writeDoubleLE(natural.height, 8);
  header.writeUInt32LE(width, 16);
  header.writeUInt32LE(height, 20);
  return Buffer.concat([header, Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)]);
}

/** Decodes an image file; undefined if it is invalid, because the decoder may have been compromised by its input. */
export function unpackPixels(file: Buffer): RawImage | undefined {
  if (file.length < headerBytes) return undefined;
  const natural = { width: file.readDoubleLE(0), height: file.readDoubleLE(8) };
  const [width, height] = [file.readUInt32LE(16), file.readUInt32LE(20)];
  if (width < 1 || height < 1 || width * height > maxImagePixels || file.length !== headerBytes + width * height * 4) return undefined;
  if (!(natural.width > 0 && natural.height > 0 && natural.width < 1e6 && natural.height < 1e6)) return undefined;
  return { natural, width, height, pixels: new Uint8ClampedArray(file.buffer, file.byteOffset + headerBytes, width * height * 4) };
}
