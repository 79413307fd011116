import { open, readFile, stat } from 'node:fs/promises';
import { AppError } from '../../errors/index.js';
import { isObject } from '../../script/index.js';

/** What a Lottie file says of itself. */
export interface LottieSummary {
  /** Pixels. */
  width: number;
  height: number;
  durationSeconds: number;
  /** What the player leaves out, one sentence each. */
  limits: string[];
}

/** Probe result of a Lottie file, which counts as an image. */
export interface LottieProbeResult extends Omit<LottieSummary, 'limits'> {
  kind: 'image';
  container: 'lottie';
  hasAudio: false;
  isLottie: true;
  lottieLimits: string[];
}

const MAX_FILE_BYTES = 16 * 1024 ** 2;
/** Bytes in which a JSON file must begin with a brace. */
const SNIFF_BYTES = 256;
const MAX_SECONDS = 3600;

/** Extends `probe` by Lottie files. */
export function withLottieProbe<Info>(probe: (path: string) => Promise<Info>): (path: string) => Promise<Info | LottieProbeResult> {
  return async (path) => {
    if (!(await startsLikeJson(path))) return probe(path);
    if ((await stat(path)).size > MAX_FILE_BYTES) throw new AppError('RENDER_FAILED', { message: 'the Lottie file is larger than the limit of 16 MiB' });
    const file = parseJson(await readFile(path, 'utf8'));
    if (file === undefined) return probe(path);
    const info = readLottie(file);
    if (info === undefined) {
      throw new AppError('RENDER_FAILED', { message: 'the file is JSON, but not a Lottie animation, which has w, h, fr, ip, op and layers' });
    }
    const { limits, ...size } = info;
    return { kind: 'image', container: 'lottie', hasAudio: false, isLottie: true, lottieLimits: limits, ...size };
  };
}

/** Reads the head of a parsed Lottie file; undefined if it is none. Throws RENDER_FAILED if it is too long. */
function readLottie(file: unknown): LottieSummary | undefined {
  if (!isObject(file) || !Array.isArray(file.layers)) return undefined;
  const { w: width, h: height, fr: rate, ip: first, op: end } = file;
  const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
  if (!isNumber(width) || !isNumber(height) || !isNumber(rate) || !isNumber(first) || !isNumber(end)) return undefined;
  const durationSeconds = (end - first) / rate;
  if (!(width > 0 && height > 0 && durationSeconds > 0)) return undefined;
  if (durationSeconds > MAX_SECONDS) {
    throw new AppError('RENDER_FAILED', { message: `the Lottie animation lasts ${Math.round(durationSeconds)} s; at most ${MAX_SECONDS} s are allowed` });
  }
  return { width: Math.ceil(width), height: Math.ceil(height), durationSeconds, limits: findLimits(file) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function startsLikeJson(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
  return /^\ufeff?\s*\{/.test(buffer.toString('utf8', 0, bytesRead));
}

/** Types of layers. */
const [TEXT_LAYER, AUDIO_LAYER, CAMERA_LAYER, VIDEO_LAYER] = [5, 6, 13, 9];

/** Features of a file that Skia's player ignores. */
function findLimits(file: Record<string, unknown>): string[] {
  const found = new Set<string>();
  const open: unknown[] = [file.layers, file.assets];
  while (open.length > 0) {
    const value = open.pop();
    if (isObject(value) && typeof value.x === 'string' && ('k' in value || 'a' in value)) found.add('expressions are not evaluated');
    if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) if (typeof child === 'object') open.push(child);
  }
  if (isOld(file.v)) found.add('parts may be missing, because the file was written by Bodymovin before 4.4');
  for (const layer of layersOf(file)) {
    if (layer.ty === AUDIO_LAYER) found.add('sound is not played');
    if (layer.ty === VIDEO_LAYER) found.add('video layers are not shown');
    if (layer.ty === CAMERA_LAYER) found.add('cameras are not applied');
    const hasGlyphs = Array.isArray(file.chars) && file.chars.length > 0;
    if (layer.ty === TEXT_LAYER && !hasGlyphs) found.add('texts without embedded glyphs are drawn in a standard font or not at all');
  }
  const images = (Array.isArray(file.assets) ? file.assets : []).filter((asset: unknown) => isObject(asset) && typeof asset.p === 'string');
  if (images.some((asset) => !String((asset as { p: string }).p).startsWith('data:'))) found.add('images outside the file are not loaded');
  return [...found];
}

/** Whether a file is of a version whose shapes the player does not read. */
function isOld(version: unknown): boolean {
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(String(version)) ?? [];
  return Number(major) * 100 + Number(minor) < 404;
}

/** Layers of the animation and of its precompositions. */
function layersOf(file: Record<string, unknown>): Array<Record<string, unknown>> {
  const lists = [file.layers, ...(Array.isArray(file.assets) ? file.assets.map((asset: unknown) => (isObject(asset) ? asset.layers : undefined)) : [])];
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
}
