import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxedRun } from '../../engine/child-processes/index.js';
import { AppError } from '../../errors/index.js';
import { writeFileAtomically } from '../canvas/sprite-file.js';
import { type DecodedImage, decodeImages } from './decode-images.js';
import { intrinsicSize, isSvgText, type SvgSize } from './svg-size.js';

/** Probe result of an SVG image. */
export interface SvgProbeResult extends SvgSize {
  kind: 'image';
  container: 'svg';
  durationSeconds: 0;
  hasAudio: false;
  isSvg: true;
}

/** Where and how SVG images are decoded. */
export interface SvgSettings {
  /** Folder for temporary files. */
  folder: string;
  mode: SandboxedRun['mode'];
}

interface SvgRasterRequest extends SvgSettings {
  path: string;
  /** Minimum size in pixels. */
  width: number;
  height: number;
  signal: AbortSignal;
}

/** Size limit of SVG files. */
const maxFileBytes = 16 * 1024 ** 2;
/** Bytes searched for the root element, which may follow long comments. */
const sniffBytes = 65_536;

/** Extends `probe` by SVG images. */
export function withSvgProbe<Info>(probe: (path: string) => Promise<Info>, settings: SvgSettings): (path: string) => Promise<Info | SvgProbeResult> {
  return async (path) => {
    const text = await readXmlStart(path);
    return text !== undefined && isSvgText(text) ? probeSvg(path, text, settings) : probe(path);
  };
}

/** Rasterizes an SVG image to a PNG file in the folder; returns its path. Existing files are reused. */
export async function rasterizeSvg({ path, width, height, signal, ...settings }: SvgRasterRequest): Promise<string> {
  const name = createHash('sha256').update(await readFile(path));
  const file = join(settings.folder, `${name.digest('hex').slice(0, 32)}-${width}x${height}.png`);
  if (await exists(file)) return file;
  const image = await decodeSvg(path, { ...settings, width, height, signal });
  // The width of the version that covers the requested size.
  const canvas = image.canvasFor(Math.max(width, (height * image.width) / image.height));
  await writeFileAtomically(file, await canvas.encode('png'));
  return file;
}

async function probeSvg(path: string, text: string, settings: SvgSettings): Promise<SvgProbeResult> {
  if ((await stat(path)).size > maxFileBytes) throw new AppError('RENDER_FAILED', { message: 'the SVG file is larger than the limit of 16 MiB' });
  const { width, height } = await decodeSvg(path, { ...settings, width: 1, height: 1 });
  return { kind: 'image', container: 'svg', durationSeconds: 0, hasAudio: false, isSvg: true, ...intrinsicSize(text, { width, height }) };
}

async function decodeSvg(path: string, { folder, ...request }: Omit<SvgRasterRequest, 'path' | 'signal'> & { signal?: AbortSignal }): Promise<DecodedImage> {
  await mkdir(folder, { recursive: true });
  const [image] = await decodeImages([path], { folder, ...request });
  if (image !== undefined) return image;
  throw new AppError('RENDER_FAILED', { message: 'the SVG image is invalid, or drawing it takes more than 30 s or 1.5 GB' });
}

async function readXmlStart(path: string): Promise<string | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
  const text = buffer.toString('utf8', 0, bytesRead);
  return /^\ufeff?\s*</.test(text) ? text : undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
