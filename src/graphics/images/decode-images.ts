import { constants } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Canvas } from '@napi-rs/canvas';
import { ProgramError, runSandboxed, type SandboxedRun } from '../../engine/child-processes/index.js';
import { createCanvas, pixelsForCanvas } from '../canvas/skia.js';
import { type DecoderTask, type RawImage, unpackPixels } from './pixel-file.js';

/** A picture to draw with. */
export interface DecodedImage {
  /** As its file says. */
  width: number;
  height: number;
  /** The picture with as many pixels as do best where it is shown so wide. */
  canvasFor(width: number): Canvas;
}

export interface DecodeOptions {
  /** For temporary files; exists. */
  folder: string;
  mode: SandboxedRun['mode'];
  /** Of the picture that they are drawn into. */
  width: number;
  height: number;
  signal?: AbortSignal;
}

const program = fileURLToPath(new URL('../../../dist/graphics/images/decoder-main.js', import.meta.url));
const library = createRequire(import.meta.url).resolve('@napi-rs/canvas');
/** Beside what Node takes, three times the pixels of the largest picture. */
const memoryMb = 1536;
const timeoutSeconds = 30;
const maxFileBytes = 256 * 1024 ** 2;

/** Decodes pictures of strangers, PNG, JPEG, WebP, GIF and SVG, by a process in the sandbox. Undefined for those that cannot be read. */
export async function decodeImages(files: readonly string[], { folder, mode, width, height, signal }: DecodeOptions): Promise<Array<DecodedImage | undefined>> {
  if (files.length === 0) return [];
  const workFolder = await mkdtemp(join(folder, 'pictures-'));
  const task: DecoderTask = { library, folder: workFolder, files, width, height };
  // Of the program: Node, its settings, the library's two packages, and what is compiled from here.
  const readable = [...files, dirname(process.execPath), '/etc/ssl/openssl.cnf', dirname(dirname(library)), dirname(dirname(dirname(program)))];
  try {
    const run = { args: [program, JSON.stringify(task)], mode, folder: workFolder, readable, memoryMb, seconds: timeoutSeconds };
    await runSandboxed(process.execPath, signal === undefined ? run : { ...run, signal }).catch((error: unknown) => {
      // What it had decoded before its end is good.
      if (!(error instanceof ProgramError)) throw error;
    });
    return await Promise.all(files.map((_, index) => readDecodedImage([0, 1].map((version) => join(workFolder, `${index}-${version}.pixels`)))));
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function readDecodedImage(paths: readonly string[]): Promise<DecodedImage | undefined> {
  const versions = (await Promise.all(paths.map((path) => readPixels(path).catch(() => undefined)))).filter((one) => one !== undefined);
  const [first] = versions;
  if (first === undefined) return undefined;
  const sources = versions.map(({ pixels, width, height }) => {
    const source = createCanvas(width, height);
    source.getContext('2d').putImageData(pixelsForCanvas(pixels, width, height), 0, 0);
    return source;
  });
  sources.sort((a, b) => a.width - b.width);
  const enough = (width: number) => sources.find((source) => source.width > width - 1) ?? (sources.at(-1) as Canvas);
  return { ...first.natural, canvasFor: enough };
}

async function readPixels(path: string): Promise<RawImage | undefined> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const info = await file.stat();
  return info.isFile() && info.size <= maxFileBytes ? unpackPixels(await file.readFile()) : undefined;
}
