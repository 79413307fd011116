import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Engine } from '../../engine/index.js';
import { encodeJpeg } from '../../graphics/index.js';
import type { Output } from '../../script/index.js';
import { scaleTimeline, type Timeline } from '../../timeline/index.js';
import { outputFrames } from './output-spec.js';

/** Images of a movie unless the script sets an interval, and the shortest interval then, in seconds. */
const STANDARD_IMAGES = 100;
const MIN_STANDARD_INTERVAL = 1;
/** Images in a row of the sheet. */
const COLUMNS = 10;
/** More would exceed the textures of some players. */
const IMAGES_PER_SHEET = COLUMNS * 10;

const jpegQuality: Record<Output['quality'], number> = { low: 60, medium: 72, high: 82 };

interface StoryboardParts {
  timeline: Timeline;
  engine: Pick<Engine, 'composeFrame'>;
  signal: AbortSignal;
}

/**
 * Writes a storyboard: sheets of small images at equal intervals, and a WebVTT file at `path` that says which part of which sheet shows
 * which time, as the seek bars of players read it.
 */
export async function writeStoryboard(output: Output, path: string, { timeline, engine, signal }: StoryboardParts): Promise<void> {
  const { canvas } = timeline;
  const frames = imageFrames(output, canvas);
  const small = Buffer.from(JSON.stringify(scaleTimeline(timeline, output)));
  const sheets: Sheet[] = [];
  for (const [index, frame] of frames.entries()) {
    if (index % IMAGES_PER_SHEET === 0) sheets.push(new Sheet(output, Math.min(IMAGES_PER_SHEET, frames.length - index)));
    sheets.at(-1)?.place(index % IMAGES_PER_SHEET, await engine.composeFrame(small, frame, { signal }));
  }
  const names = sheets.map((_, index) => sheetPath(path, index));
  for (const [index, sheet] of sheets.entries()) await writeFile(names[index] ?? '', await encodeJpeg(sheet, jpegQuality[output.quality]));
  const text = timesOf(frames, output, { canvas, names: names.map((name) => basename(name)) });
  await writeFile(path, text);
}

/** The files of a storyboard whose times are at `path`. */
export function storyboardFiles(output: Output, path: string, canvas: Timeline['canvas']): string[] {
  const sheets = Math.ceil(imageFrames(output, canvas).length / IMAGES_PER_SHEET);
  return [...Array.from({ length: sheets }, (_, index) => sheetPath(path, index)), path];
}

const sheetPath = (path: string, index: number): string => `${path.replace(/\.vtt$/i, '')}-${index + 1}.jpg`;

/** The frames that are shown, each at the start of its interval. */
function imageFrames(output: Output, canvas: Timeline['canvas']): number[] {
  const { first, end } = outputFrames(output, canvas);
  const rate = canvas.fps.num / canvas.fps.den;
  const interval = (output.interval ?? Math.max(MIN_STANDARD_INTERVAL, (end - first) / rate / STANDARD_IMAGES)) * rate;
  const count = Math.max(1, Math.ceil((end - first) / interval - 1e-6));
  return Array.from({ length: count }, (_, index) => Math.min(end - 1, first + Math.round(index * interval)));
}

/** A sheet of images, filled row by row. */
class Sheet {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly #image: { width: number; height: number };

  constructor(image: { width: number; height: number }, images: number) {
    this.#image = image;
    this.width = Math.min(COLUMNS, images) * image.width;
    this.height = Math.ceil(images / COLUMNS) * image.height;
    this.pixels = new Uint8Array(this.width * this.height * 4);
  }

  place(index: number, { pixels }: { pixels: Uint8Array }): void {
    const { x, y, width, height } = placeOf(index, this.#image);
    for (let row = 0; row < height; row++) this.pixels.set(pixels.subarray(row * width * 4, (row + 1) * width * 4), ((y + row) * this.width + x) * 4);
  }
}

function placeOf(index: number, { width, height }: { width: number; height: number }): { x: number; y: number; width: number; height: number } {
  return { x: (index % COLUMNS) * width, y: Math.floor(index / COLUMNS) * height, width, height };
}

function timesOf(frames: readonly number[], output: Output, { canvas, names }: { canvas: Timeline['canvas']; names: readonly string[] }): string {
  const { first, end } = outputFrames(output, canvas);
  const blocks = frames.map((frame, index) => {
    const { x, y, width, height } = placeOf(index % IMAGES_PER_SHEET, output);
    const times = [frame, frames[index + 1] ?? end].map((shown) => timestamp(((shown - first) * canvas.fps.den) / canvas.fps.num));
    return `${times.join(' --> ')}\n${names[Math.floor(index / IMAGES_PER_SHEET)]}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

function timestamp(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
}
