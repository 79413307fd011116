import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxedRun } from '../../engine/child-processes/index.js';
import { AppError } from '../../errors/index.js';
import { writeFileAtomically } from '../canvas/sprite-file.js';
import { type DecodedImage, decodeImages } from './decode-images.js';
import { intrinsicSize, isSvgText, type SvgSize } from './svg-size.js';

/** What probing tells of an SVG image. */
export interface SvgProbeResult extends SvgSize {
  kind: 'image';
  container: 'svg';
  durationSeconds: 0;
  hasAudio: false;
  isSvg: true;
}

export interface SvgSettings {
  /** For temporary files. */
  folder: string;
  mode: SandboxedRun['mode'];
}

export interface SvgRasterRequest extends SvgSettings {
  path: string;
  /** At least so many pixels. */
  width: number;
  height: number;
  signal: AbortSignal;
}

/** Larger ones are films of paths, or no drawings. */
const maxFileBytes = 16 * 1024 ** 2;
/** In which a file tells that it is a drawing, behind what its editor has to say. */
const sniffBytes = 65_536;

/** Probes SVG pictures here, and everything else as before. */
export function withSvgProbe<Info>(probe: (path: string) => Promise<Info>, settings: SvgSettings): (path: string) => Promise<Info | SvgProbeResult> {
  return async (path) => {
    const text = await readXmlStart(path);
    return text !== undefined && isSvgText(text) ? probeSvg(path, text, settings) : probe(path);
  };
}

/** A PNG of the drawing in the folder, where it stays. */
export async function rasterizeSvg({ path, width, height, signal, ...settings }: SvgRasterRequest): Promise<string> {
  const name = createHash('sha256').update(await readFile(path));
  const file = join(settings.folder, `${name.digest('hex').slice(0, 32)}-${width}x${height}.png`);
  if (await exists(file)) return file;
  const image = await decodeSvg(path, { ...settings, width, height, signal });
  // As wide as its version that just covers what is asked for.
  const canvas = image.canvasFor(Math.max(width, (height * image.width) / image.height));
  await writeFileAtomically(file, await canvas.encode('png'));
  return file;
}

async function probeSvg(path: string, text: string, settings: SvgSettings): Promise<SvgProbeResult> {
  if ((await stat(path)).size > maxFileBytes) throw new AppError('RENDER_FAILED', { message: 'the drawing is larger than the 16 MiB allowed' });
  const { width, height } = await decodeSvg(path, { ...settings, width: 1, height: 1 });
  return { kind: 'image', container: 'svg', durationSeconds: 0, hasAudio: false, isSvg: true, ...intrinsicSize(text, { width, height }) };
}

async function decodeSvg(path: string, { folder, ...request }: Omit<SvgRasterRequest, 'path' | 'signal'> & { signal?: AbortSignal }): Promise<DecodedImage> {
  await mkdir(folder, { recursive: true });
  const [image] = await decodeImages([path], { folder, ...request });
  if (image !== undefined) return image;
  throw new AppError('RENDER_FAILED', { message: 'the drawing is no SVG that can be drawn, or takes more than the 30 s or 1.5 GB allowed' });
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
