import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Config, loadConfig } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import { UsageError } from '../exit-codes.js';
import { withLocalRender } from '../local-render.js';
import { MovieError, openMovieFile } from '../movie-file.js';
import { cacheFolder } from '../options.js';
import { painterFor } from '../paint.js';
import { createProgressBar } from '../progress-bar.js';
import { Changes } from './changes.js';
import { type Drawn, drawFrame, renderVideo } from './draw-movie.js';

/** Options of the command `watch`. */
export interface WatchOptions {
  output?: string;
  at?: number;
  cache?: string;
  json?: boolean;
}

interface Watch {
  moviePath: string;
  outputPath: string;
  at: number | undefined;
  cacheDir: string | false;
  asJson: boolean;
  config: Config;
  changes: Changes;
}

/** Renders after each change until Ctrl-C. A change cancels a running render; an invalid script is reported and the next change awaited. */
export async function watchMovie(moviePath: string, options: WatchOptions): Promise<void> {
  const outputPath = resolve(options.output ?? `${moviePath.replace(/\.json$/i, '')}.${options.at === undefined ? 'mp4' : 'png'}`);
  const isImage = /\.png$/i.test(outputPath);
  if (!isImage && options.at !== undefined) throw new UsageError('--at draws a single frame: pass an --output that ends in .png.');
  // A missing file is a wrong command line; invalid JSON may be fixed while watching.
  await openMovieFile(moviePath).catch((error: unknown) => {
    if (error instanceof MovieError && error.code === 'INVALID_REQUEST') throw error;
  });
  await mkdir(dirname(outputPath), { recursive: true });
  const config = loadConfig();
  let wake: () => void = () => {};
  let running: AbortController | undefined;
  let changed = true;
  let stopped = false;
  const changes = new Changes(() => {
    changed = true;
    running?.abort();
    wake();
  });
  const stop = (): void => {
    stopped = true;
    running?.abort();
    wake();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const at = isImage ? (options.at ?? 0) : undefined;
  const watch = {
    moviePath,
    outputPath,
    at,
    cacheDir: cacheFolder(options.cache, config.cache),
    asJson: options.json === true,
    config,
    changes,
  };
  changes.follow([moviePath]);
  try {
    for (let number = 1; !stopped; number += 1) {
      if (!changed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (changed || stopped) resolve();
        });
      }
      if (stopped) break;
      changed = false;
      running = new AbortController();
      await drawOnce(watch, number, running.signal);
    }
  } finally {
    changes.close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Draws the movie and prints one line about the result or the error. */
async function drawOnce(watch: Watch, number: number, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const bar = watch.asJson || !process.stderr.isTTY ? undefined : createProgressBar();
  try {
    const file = await openMovieFile(watch.moviePath);
    watch.changes.follow([watch.moviePath, ...localFilesOf(file.script, watch.moviePath)]);
    const { config, moviePath, outputPath, at, cacheDir } = watch;
    const request = { script: file.script, outputPath, signal, onProgress: bar?.update ?? (() => {}) };
    const drawn = await withLocalRender(
      moviePath,
      config,
      (parts, workDir) => (at === undefined ? renderVideo({ ...request, workDir }, parts) : drawFrame({ ...request, workDir, at }, parts)),
      { cacheDir, decodesAhead: at !== undefined },
    ).catch(async (error: unknown) => {
      throw await file.locateError(error);
    });
    clear(bar);
    printDrawn(watch, number, drawn, (performance.now() - startedAt) / 1000);
  } catch (error) {
    clear(bar);
    // After an abort a newer change is drawn.
    if (!signal.aborted) printError(watch, number, error);
  }
}

function clear(bar: object | undefined): void {
  if (bar !== undefined) process.stderr.write('\r\x1b[K');
}

function printDrawn({ outputPath, asJson }: Watch, change: number, { fields, text, warnings }: Drawn, seconds: number): void {
  if (asJson) {
    console.log(JSON.stringify({ change, ok: true, path: outputPath, seconds: Number(seconds.toFixed(3)), ...fields, warnings }));
    return;
  }
  const paint = painterFor(process.stdout);
  const notes = warnings.length === 0 ? '' : ` · ${paint('yellow', `${warnings.length} warning(s): ${warnings.join('; ')}`)}`;
  console.log(`${timeOfDay()} ${paint('green', `#${change}`)} ${outputPath} · ${text} · ${seconds.toFixed(2)} s${notes}`);
}

function printError({ asJson }: Watch, change: number, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (asJson) {
    const { code, path } = error instanceof AppError ? error : {};
    const { line, column } = error instanceof MovieError ? error : {};
    console.log(JSON.stringify({ change, ok: false, error: { code, message, path, line, column } }));
    return;
  }
  console.log(`${timeOfDay()} ${painterFor(process.stdout)('red', `#${change}`)} ${message.replace(/\s*\n\s*/g, ' ')}`);
}

/** Local time as HH:MM:SS. */
function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}

/** Absolute paths of the local files that a script names in any of its strings: images, clips, audio, captions, fonts. */
function localFilesOf(script: unknown, moviePath: string): string[] {
  const folder = dirname(resolve(moviePath));
  const paths = new Set<string>();
  const search = (value: unknown): void => {
    if (typeof value === 'string') {
      if (looksLikePath(value) && statSync(resolve(folder, value), { throwIfNoEntry: false })?.isFile()) paths.add(resolve(folder, value));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(search);
  };
  search(script);
  return [...paths];
}

function looksLikePath(text: string): boolean {
  return text.length < 1000 && /\.[a-z0-9]{2,5}$/i.test(text) && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
