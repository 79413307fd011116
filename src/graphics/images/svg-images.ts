import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxedRun } from '../../engine/child-processes/index.js';
import { AppError } from '../../errors/index.js';
import { writeWhole } from '../canvas/sprite-file.js';
import { decodePictures, type Picture } from './decode-images.js';
import { type DrawingSize, isDrawingText, viewedSize } from './svg-size.js';

/** What probing tells of an SVG picture. */
export interface DrawingFacts extends DrawingSize {
  kind: 'image';
  container: 'svg';
  durationSeconds: 0;
  hasAudio: false;
  isDrawing: true;
}

export interface DrawingSettings {
  /** For temporary files. */
  folder: string;
  mode: SandboxedRun['mode'];
}

export interface DrawingRequest extends DrawingSettings {
  path: string;
  /** At least so many pixels. */
  width: number;
  height: number;
  signal: AbortSignal;
}

/** Larger ones are films of paths, or no drawings. */
const largestFile = 16 * 1024 ** 2;
/** In which a file tells that it is a drawing, behind what its editor has to say. */
const tellingBytes = 65_536;

/** Probes SVG pictures here, and everything else as before. */
export function probeDrawings<Facts>(probe: (path: string) => Promise<Facts>, settings: DrawingSettings): (path: string) => Promise<Facts | DrawingFacts> {
  return async (path) => {
    const text = await firstText(path);
    return text !== undefined && isDrawingText(text) ? measured(path, text, settings) : probe(path);
  };
}

/** A PNG of the drawing in the folder, where it stays. */
export async function drawDrawing({ path, width, height, signal, ...settings }: DrawingRequest): Promise<string> {
  const name = createHash('sha256').update(await readFile(path));
  const file = join(settings.folder, `${name.digest('hex').slice(0, 32)}-${width}x${height}.png`);
  if (await exists(file)) return file;
  const picture = await decoded(path, { ...settings, width, height, signal });
  // As wide as its version that just covers what is asked for.
  const canvas = picture.sourceFor(Math.max(width, (height * picture.width) / picture.height));
  await writeWhole(file, await canvas.encode('png'));
  return file;
}

async function measured(path: string, text: string, settings: DrawingSettings): Promise<DrawingFacts> {
  if ((await stat(path)).size > largestFile) throw new AppError('RENDER_FAILED', { message: 'the drawing is larger than the 16 MiB allowed' });
  const { width, height } = await decoded(path, { ...settings, width: 1, height: 1 });
  return { kind: 'image', container: 'svg', durationSeconds: 0, hasAudio: false, isDrawing: true, ...viewedSize(text, { width, height }) };
}

async function decoded(path: string, { folder, ...request }: Omit<DrawingRequest, 'path' | 'signal'> & { signal?: AbortSignal }): Promise<Picture> {
  await mkdir(folder, { recursive: true });
  const [picture] = await decodePictures([path], { folder, ...request });
  if (picture !== undefined) return picture;
  throw new AppError('RENDER_FAILED', { message: 'the drawing is no SVG that can be drawn, or takes more than the 30 s or 1.5 GB allowed' });
}

async function firstText(path: string): Promise<string | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(tellingBytes), 0, tellingBytes, 0);
  const text = buffer.toString('utf8', 0, bytesRead);
  return /^\ufeff?\s*</.test(text) ? text : undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
