import { constants } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Canvas } from '@napi-rs/canvas';
import { ProgramError, runSandboxed, type SandboxedRun } from '../../engine/child-processes/index.js';
import { createCanvas, pixelsForCanvas } from '../canvas/skia.js';
import { type DecoderTask, type RawImage, unpackPixels } from './pixel-file.js';

/** A decoded image. */
export interface DecodedImage {
  /** Natural size from the file, in pixels. */
  width: number;
  height: number;
  /** The version with the best resolution for a display width in pixels. */
  canvasFor(width: number): Canvas;
}

/** Options of decodeImages(). */
export interface DecodeOptions {
  /** Existing folder for temporary files. */
  folder: string;
  mode: SandboxedRun['mode'];
  /** Size of the target in pixels; SVG images are also rasterized to cover it. */
  width: number;
  height: number;
  signal?: AbortSignal;
}

const program = fileURLToPath(new URL('../../../dist/graphics/images/decoder-main.js', import.meta.url));
const library = createRequire(import.meta.url).resolve('@napi-rs/canvas');
/** Memory limit: Node plus three times the pixels of the largest image. */
const memoryMb = 1536;
const timeoutSeconds = 30;
const maxFileBytes = 256 * 1024 ** 2;

/** Decodes untrusted images (PNG, JPEG, WebP, GIF, SVG) in a sandboxed process. Unreadable ones are undefined. */
export async function decodeImages(files: readonly string[], { folder, mode, width, height, signal }: DecodeOptions): Promise<Array<DecodedImage | undefined>> {
  if (files.length === 0) return [];
  const workFolder = await mkdtemp(join(folder, 'images-'));
  const task: DecoderTask = { library, folder: workFolder, files, width, height };
  // Needed by the program: Node, its OpenSSL configuration, the library's packages and the compiled sources.
  const readable = [...files, dirname(process.execPath), '/etc/ssl/openssl.cnf', dirname(dirname(library)), dirname(dirname(dirname(program)))];
  try {
    const run = { args: [program, JSON.stringify(task)], mode, folder: workFolder, readable, memoryMb, seconds: timeoutSeconds };
    await runSandboxed(process.execPath, signal === undefined ? run : { ...run, signal }).catch((error: unknown) => {
      // Images decoded before the failure are used.
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
