import type { AvifConfig } from '@napi-rs/canvas';
import { createCanvas, decodeImage, pixelsForCanvas } from '../canvas/skia.js';

/** Straight RGBA pixels, 8 bits each. */
export interface Pixels {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Encodes opaque pixels as JPEG; `quality` from 0 to 100. */
export function encodeJpeg({ width, height, pixels }: Pixels, quality: number): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  canvas.getContext('2d').putImageData(pixelsForCanvas(clamped, width, height), 0, 0);
  return canvas.encode('jpeg', quality);
}

/** Encodes a PNG image as AVIF with its transparency; `quality` from 0 to 100. */
export async function encodeAvif(png: Buffer, quality: number): Promise<Buffer> {
  const image = await decodeImage(png);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const config: AvifConfig = { quality, alphaQuality: 100, chromaSubsampling: 0 };
  return canvas.encode('avif', config);
}
