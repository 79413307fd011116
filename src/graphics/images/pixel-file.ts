/** What the decoder is asked for, as JSON. */
export interface DecoderTask {
  /** Where @napi-rs/canvas lies. */
  library: string;
  /** Where pixels go. */
  folder: string;
  files: readonly string[];
  /** Of the picture that they are drawn into. */
  width: number;
  height: number;
}

export interface RawImage {
  /** As the file says; drawings of lines may have other numbers of pixels. */
  natural: { width: number; height: number };
  width: number;
  height: number;
  /** RGBA, 8 bits each, straight alpha, rows from the top. */
  pixels: Uint8ClampedArray;
}

/** Of one picture. */
export const maxImagePixels = 50_000_000;

const headerBytes = 24;

/** Natural width and height as doubles, then the size in pixels, then the pixels. */
export function packPixels({ natural, width, height, pixels }: RawImage): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeDoubleLE(natural.width, 0);
  header.writeDoubleLE(natural.height, 8);
  header.writeUInt32LE(width, 16);
  header.writeUInt32LE(height, 20);
  return Buffer.concat([header, Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)]);
}

/** Undefined when it is no such file: whoever wrote it may have been taken over by what it read. */
export function unpackPixels(file: Buffer): RawImage | undefined {
  if (file.length < headerBytes) return undefined;
  const natural = { width: file.readDoubleLE(0), height: file.readDoubleLE(8) };
  const [width, height] = [file.readUInt32LE(16), file.readUInt32LE(20)];
  if (width < 1 || height < 1 || width * height > maxImagePixels || file.length !== headerBytes + width * height * 4) return undefined;
  if (!(natural.width > 0 && natural.height > 0 && natural.width < 1e6 && natural.height < 1e6)) return undefined;
  return { natural, width, height, pixels: new Uint8ClampedArray(file.buffer, file.byteOffset + headerBytes, width * height * 4) };
}
