import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineProcess } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { Semaphore } from '../../render/assets/index.js';
import { planMovie, type RenderContext } from '../../render/index.js';
import type { Movie } from '../../script/index.js';
import { LruCache } from '../index.js';
import type { DrawOptions, PreviewFrame } from '../preview-protocol.js';
import { PlannedMovie } from './planned-movie.js';
import { SharedTask } from './shared-task.js';

/** Everything before the first frame: downloads, speech, sprites. */
const planTimeoutMs = 60_000;
const frameTimeoutMs = 20_000;
/** A larger workspace is closed; a movie whose files are larger is fetched again after each change. */
const maxFolderBytes = 2 * 1024 ** 3;

/** What a workspace owns and needs. */
interface WorkspaceOptions {
  /** Holds the files of the engine and of everything else here; removed on close. */
  folder: string;
  engine: EngineProcess;
  /** Creates the parts of one plan, since each movie has fonts of its own. HTML pages are drawn for frames of `width` pixels. */
  partsForMovie: (size: { movieWidth: number; width: number }) => RenderContext;
  /** Parses a script under the rules of a render. */
  parse: (script: unknown) => Movie;
  /** Stops what the parts have started. */
  closeParts: () => Promise<void>;
}

const maxMovies = 12;
/** HTML pages are drawn for frames of this width in pixels; for wider frames, at the size of the output. */
const defaultWidth = 640;
/** Planning takes a core. */
const maxConcurrentPlans = 2;
const measureIntervalMs = 5000;
const maxFrameBytes = 64 * 1024 ** 2;

/** The folder, engine, caches and planned movies of one account's previews. */
export class AccountWorkspace {
  readonly #options: WorkspaceOptions;
  readonly #movies = new LruCache<SharedTask<PlannedMovie>>(maxMovies);
  readonly #planning = new Semaphore(maxConcurrentPlans);
  #isOverLimit = false;
  #isClosing = false;
  #measuring: Promise<void> | undefined;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #requestCount = 0;
  #lastUsedMs = performance.now();
  #onIdle: (() => void) | undefined;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  /** New requests need another workspace. */
  get isUnusable(): boolean {
    return this.#isOverLimit || this.#isClosing || this.#options.engine.exitError !== undefined;
  }

  /** Requests are in progress. */
  get isInUse(): boolean {
    return this.#requestCount > 0;
  }

  /** End of the last request, on the monotonic clock. */
  get lastUsedMs(): number {
    return this.#lastUsedMs;
  }

  /** Starts a request; `leave` ends it. */
  enter(): void {
    this.#requestCount += 1;
  }

  leave(): void {
    this.#requestCount -= 1;
    this.#lastUsedMs = performance.now();
    if (this.#requestCount === 0) this.#onIdle?.();
  }

  /** Closes after the last request in progress. */
  async closeWhenIdle(): Promise<void> {
    this.#isClosing = true;
    if (this.isInUse) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#close();
  }

  async #close(): Promise<void> {
    await this.#options.engine.close();
    await this.#options.closeParts();
    await this.#measuring;
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  /** The planned movie of a script, for frames up to a width in pixels; each script is planned once. */
  async movieOf(script: unknown, width: number, signal: AbortSignal): Promise<PlannedMovie> {
    const key = createHash('sha256').update(JSON.stringify(script)).digest('hex');
    const known = this.#movies.get(key);
    const planned = await this.#movies.set(key, known === undefined || known.isCancelled ? this.#startPlan(key, script, width) : known).wait(signal);
    if (planned.maxWidth >= width) return planned;
    const current = this.#movies.get(key);
    // Another request may have started the wider plan meanwhile.
    return this.#movies.set(key, current === undefined || current === known ? this.#startPlan(key, script, width) : current).wait(signal);
  }

  /** Draws one frame; rejects with RENDER_FAILED when it takes longer than 20 s. */
  async drawFrame(movie: PlannedMovie, frame: number, { width, format }: Pick<DrawOptions, 'width' | 'format'>, signal: AbortSignal): Promise<PreviewFrame> {
    const timeout = AbortSignal.timeout(frameTimeoutMs);
    const either = AbortSignal.any([signal, timeout]);
    try {
      const bytes = await this.#draw(movie, frame, { width, format }, either);
      return { time: movie.timeOf(frame), type: `image/${format}`, bytes };
    } catch (error) {
      throw timeout.aborted && !signal.aborted ? timeoutError(`the frame at ${movie.timeOf(frame)} s could not be drawn`, frameTimeoutMs) : error;
    }
  }

  #startPlan(key: string, script: unknown, width: number): SharedTask<PlannedMovie> {
    const work = new SharedTask<PlannedMovie>(async (signal) => {
      const timeout = AbortSignal.timeout(planTimeoutMs);
      try {
        return await this.#planning.run(() => this.#plan(script, width, AbortSignal.any([signal, timeout])));
      } catch (error) {
        // The next request tries again: files may be available then.
        if (this.#movies.get(key) === work) this.#movies.delete(key);
        throw timeout.aborted && !signal.aborted ? timeoutError('the movie could not be prepared', planTimeoutMs) : error;
      }
    });
    return work;
  }

  async #plan(script: unknown, wanted: number, signal: AbortSignal): Promise<PlannedMovie> {
    signal.throwIfAborted();
    const workDir = join(this.#options.folder, 'movie');
    await mkdir(workDir, { recursive: true });
    const movie = this.#options.parse(script);
    const width = wanted > defaultWidth ? movie.width : defaultWidth;
    const plan = await planMovie({ script, workDir, signal }, this.#options.partsForMovie({ movieWidth: movie.width, width }));
    this.#measureNow();
    return new PlannedMovie(plan, hasHtml(plan.movie) && width < movie.width ? width : Number.POSITIVE_INFINITY);
  }

  async #draw(movie: PlannedMovie, frame: number, { width, format }: Pick<DrawOptions, 'width' | 'format'>, signal: AbortSignal): Promise<Uint8Array> {
    const path = join(this.#options.folder, `frame-${randomUUID()}.${format}`);
    try {
      await this.#options.engine.writeFrame(movie.scaledTo(width).json, frame, path, { signal, type: format });
      return await readRegularFile(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** At most once in five seconds: every keystroke in a text leaves a sprite behind. */
  #measureNow(): void {
    if (this.#measuring !== undefined || performance.now() - this.#measuredAt < measureIntervalMs) return;
    this.#measuring = this.#measure().finally(() => {
      this.#measuring = undefined;
      this.#measuredAt = performance.now();
    });
  }

  async #measure(): Promise<void> {
    const bytes = await sizeOf(this.#options.folder).catch(() => 0);
    if (bytes > maxFolderBytes) this.#isOverLimit = true;
  }
}

/** Components may be HTML pages. */
function hasHtml({ scenes, elements }: Movie): boolean {
  return [...scenes.flatMap((scene) => scene.elements), ...elements].some(({ type }) => type === 'html' || type === 'component');
}

function timeoutError(what: string, limitMs: number): AppError {
  return new AppError('RENDER_FAILED', { message: `${what} within the ${limitMs / 1000} s that a preview may take` });
}

/** Reads a file that the engine wrote. The engine is untrusted: links and special files are refused. */
async function readRegularFile(path: string): Promise<Buffer> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > maxFrameBytes)
    throw new AppError('INTERNAL_ERROR', { detail: `the engine wrote a frame of ${stats.size} bytes; at most ${maxFrameBytes} are read` });
  return await file.readFile();
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = names.map((name) =>
    lstat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
