import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface SequenceFile {
  width: number;
  height: number;
  fps: { num: number; den: number };
  /** Index of the image that each frame shows. */
  shown: number[];
  images: Buffer[];
}

/** Reads a sequence file by its specification, independently of the writer. */
export function readSequence(path: string): SequenceFile {
  const file = readFileSync(path);
  if (file.toString('latin1', 0, 4) !== 'FWSQ' || file.readUInt32LE(4) !== 1) throw new Error('not a sequence file');
  const [width = 0, height = 0, num = 0, den = 0, frames = 0, count = 0] = [8, 12, 16, 20, 24, 28].map((at) => file.readUInt32LE(at));
  const shown = Array.from({ length: frames }, (_, i) => file.readUInt32LE(32 + 4 * i));
  const images = Array.from({ length: count }, (_, i) => {
    const at = 32 + 4 * frames + 16 * i;
    const offset = Number(file.readBigUInt64LE(at));
    return file.subarray(offset, offset + Number(file.readBigUInt64LE(at + 8)));
  });
  return { width, height, fps: { num, den }, shown, images };
}

/** Decodes the frames to RGBA with straight alpha, with the ffmpeg program. */
export function decodeSequence(path: string): { width: number; height: number; frames: Buffer[] } {
  const { width, height, shown, images } = readSequence(path);
  const decoded = decodeImages(images, width, height);
  return { width, height, frames: shown.map((index) => decoded[index] as Buffer) };
}

export function decodeImages(images: readonly Buffer[], width: number, height: number): Buffer[] {
  const raw = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'png_pipe', '-i', 'pipe:0', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-vsync', 'passthrough', 'pipe:1'],
    {
      input: Buffer.concat(images),
      maxBuffer: 1 << 30,
    },
  );
  const bytes = width * height * 4;
  if (raw.length !== bytes * images.length) throw new Error(`${raw.length} bytes for ${images.length} pictures of ${width}x${height}`);
  return images.map((_, i) => raw.subarray(i * bytes, (i + 1) * bytes));
}

/** Centre of mass of the alpha channel; pixel centres are at .5. `ink` is the sum in pixels. */
export function centreOfInk(pixels: Buffer, width: number): { x: number; y: number; ink: number } {
  let [x, y, ink] = [0, 0, 0];
  for (let i = 3; i < pixels.length; i += 4) {
    const alpha = pixels[i] ?? 0;
    const pixel = (i - 3) / 4;
    x += alpha * ((pixel % width) + 0.5);
    y += alpha * (Math.floor(pixel / width) + 0.5);
    ink += alpha;
  }
  return { x: x / ink, y: y / ink, ink: ink / 255 };
}
