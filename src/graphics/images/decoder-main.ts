/**
 * Program run in the sandbox by decode-images.ts: decodes untrusted images. Its argument is a DecoderTask; each readable image becomes
 * `<index>-0.pixels` in the task's folder, an SVG image also `<index>-1.pixels`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Library from '@napi-rs/canvas';
import { type DecoderTask, maxImagePixels, packPixels, type RawImage } from './pixel-file.js';

const { library, folder, files, width, height } = JSON.parse(process.argv[2] ?? '') as DecoderTask;
const { createCanvas, loadImage } = createRequire(import.meta.url)(library) as typeof Library;

for (const [index, file] of files.entries()) {
  try {
    await decode(file, (version) => join(folder, `${index}-${version}.pixels`));
  } catch (error) {
    console.error(`${file}: ${String(error)}`);
  }
}

async function decode(from: string, to: (version: number) => string): Promise<void> {
  const bytes = readFileSync(from);
  const image = await loadImage(bytes);
  const isSvg = /^\ufeff?\s*</.test(bytes.toString('utf8', 0, 512));
  // SVG images are rasterized at their natural size and at the size that covers the target.
  const scales = isSvg ? [Math.max(width / image.width, height / image.height), 1] : [1];
  for (const [version, scale] of scales.entries()) writeFileSync(to(version), packPixels(rasterize(image, scale)));
}

function rasterize(image: Library.Image, wanted: number): RawImage {
  const natural = { width: image.width, height: image.height };
  const scale = Math.min(wanted, Math.sqrt(maxImagePixels / (natural.width * natural.height)));
  const size = { width: Math.max(1, Math.round(natural.width * scale)), height: Math.max(1, Math.round(natural.height * scale)) };
  const context = createCanvas(size.width, size.height).getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, size.width, size.height);
  return { natural, ...size, pixels: context.getImageData(0, 0, size.width, size.height).data };
}
