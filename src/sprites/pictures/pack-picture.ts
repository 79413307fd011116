import { createCanvas, pixelsForCanvas } from '../skia.js';

/** Opaque RGBA, rows without padding, as the bytes of a JPEG file. `quality`: 0 to 100. */
export function packJpeg({ width, height, pixels }: { width: number; height: number; pixels: Buffer }, quality: number): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  canvas.getContext('2d').putImageData(pixelsForCanvas(clamped, width, height), 0, 0);
  return canvas.encode('jpeg', quality);
}
