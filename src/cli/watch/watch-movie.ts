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
import { localFilesOf } from './local-files.js';

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

/** Until Ctrl-C. A change in the middle of a render ends that render; a script that is wrong waits for the next change. */
export async function watchMovie(moviePath: string, options: WatchOptions): Promise<void> {
  const outputPath = resolve(options.output ?? `${moviePath.replace(/\.json$/i, '')}.${options.at === undefined ? 'mp4' : 'png'}`);
  const isPicture = /\.png$/i.test(outputPath);
  if (!isPicture && options.at !== undefined) throw new UsageError('--at draws a picture: give an --output that ends in .png.');
  // The first look: a file that is not there at all is a wrong command line, not a script that is being written.
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
  const onSigint = (): void => {
    stopped = true;
    running?.abort();
    wake();
  };
  process.once('SIGINT', onSigint).once('SIGTERM', onSigint);
  const at = isPicture ? (options.at ?? 0) : undefined;
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
    process.off('SIGINT', onSigint).off('SIGTERM', onSigint);
  }
}

/** One line, whatever comes of it. */
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
      throw await file.placed(error);
    });
    clear(bar);
    tellDrawn(watch, number, drawn, (performance.now() - startedAt) / 1000);
  } catch (error) {
    clear(bar);
    // Something newer is there to be drawn.
    if (!signal.aborted) tellFault(watch, number, error);
  }
}

function clear(bar: object | undefined): void {
  if (bar !== undefined) process.stderr.write('\r\x1b[K');
}

function tellDrawn({ outputPath, asJson }: Watch, change: number, { facts, text, warnings }: Drawn, seconds: number): void {
  if (asJson) {
    console.log(JSON.stringify({ change, ok: true, path: outputPath, seconds: Number(seconds.toFixed(3)), ...facts, warnings }));
    return;
  }
  const paint = painterFor(process.stdout);
  const notes = warnings.length === 0 ? '' : ` · ${paint('yellow', `${warnings.length} warning(s): ${warnings.join('; ')}`)}`;
  console.log(`${stamp()} ${paint('green', `#${change}`)} ${outputPath} · ${text} · ${seconds.toFixed(2)} s${notes}`);
}

function tellFault({ asJson }: Watch, change: number, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (asJson) {
    const { code, path } = error instanceof AppError ? error : {};
    const { line, column } = error instanceof MovieError ? error : {};
    console.log(JSON.stringify({ change, ok: false, error: { code, message, path, line, column } }));
    return;
  }
  console.log(`${stamp()} ${painterFor(process.stdout)('red', `#${change}`)} ${message.replace(/\s*\n\s*/g, ' ')}`);
}

function stamp(): string {
  return new Date().toTimeString().slice(0, 8);
}
