import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineProcess } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { Semaphore } from '../../render/assets/index.js';
import { planMovie, type RenderContext } from '../../render/index.js';
import type { Movie } from '../../script/index.js';
import type { DrawWish, PreviewPicture } from '../preview-protocol.js';
import { KeptMovie } from './kept-movie.js';
import { SharedWork } from './shared-work.js';

export interface ViewLimits {
  /** For everything before the first frame: fetching, speaking, drawing. */
  planMs: number;
  /** For one frame. */
  frameMs: number;
  /** A workspace that has grown larger is given up; movies whose files are larger are fetched again after each change. */
  folderBytes: number;
}

export const viewLimits: Readonly<ViewLimits> = Object.freeze({ planMs: 60_000, frameMs: 20_000, folderBytes: 2 * 1024 ** 3 });

export interface WorkspaceParts {
  /** The engine's folder, and everybody's. */
  folder: string;
  engine: EngineProcess;
  /** Made anew for each plan, since a movie brings fonts along. Pages are drawn for pictures that are so wide. */
  partsForMovie: (wish: { movieWidth: number; width: number }) => RenderContext;
  /** As plans read scripts. */
  parse: (script: unknown) => Movie;
  limits: ViewLimits;
  /** Ends what the parts have started. */
  end: () => Promise<void>;
}

const mostMovies = 12;
/** Pages are drawn for pictures that are so wide, or else as large as they are in the film. */
const usualWidth = 640;
/** Of one account at the same time: planning takes a core. */
const plansAtOnce = 2;
const measureEveryMs = 5000;
const largestPicture = 64 * 1024 ** 2;

/** What one account's previews stand on. */
export class Workspace {
  readonly #parts: WorkspaceParts;
  readonly #movies = new Map<string, SharedWork<KeptMovie>>();
  readonly #planning = new Semaphore(plansAtOnce);
  #isFull = false;
  #isClosing = false;
  #measuring: Promise<void> | undefined;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #users = 0;
  #usedAt = performance.now();
  #whenFree: (() => void) | undefined;

  constructor(parts: WorkspaceParts) {
    this.#parts = parts;
  }

  /** Nothing new should be begun in it. */
  get isSpent(): boolean {
    return this.#isFull || this.#isClosing || this.#parts.engine.exitError !== undefined;
  }

  get isUsed(): boolean {
    return this.#users > 0;
  }

  /** On the monotonic clock. */
  get usedAt(): number {
    return this.#usedAt;
  }

  enter(): void {
    this.#users += 1;
  }

  leave(): void {
    this.#users -= 1;
    this.#usedAt = performance.now();
    if (this.#users === 0) this.#whenFree?.();
  }

  /** When nobody works in it any more. */
  async closeWhenFree(): Promise<void> {
    this.#isClosing = true;
    if (this.isUsed) {
      await new Promise<void>((resolve) => {
        this.#whenFree = resolve;
      });
    }
    await this.#close();
  }

  async #close(): Promise<void> {
    await this.#parts.engine.close();
    await this.#parts.end();
    await this.#measuring;
    await rm(this.#parts.folder, { recursive: true, force: true });
  }

  /** The script's movie, planned once, for pictures up to this width. */
  async movieOf(script: unknown, width: number, signal: AbortSignal): Promise<KeptMovie> {
    const key = createHash('sha256').update(JSON.stringify(script)).digest('hex');
    const known = this.#movies.get(key);
    const planned = await this.#keep(key, known === undefined || known.isAbandoned ? this.#startPlan(key, script, width) : known).wait(signal);
    if (planned.widest >= width) return planned;
    const current = this.#movies.get(key);
    // Somebody else may have seen the same meanwhile.
    return this.#keep(key, current === undefined || current === known ? this.#startPlan(key, script, width) : current).wait(signal);
  }

  async picture(movie: KeptMovie, frame: number, { width, format }: Pick<DrawWish, 'width' | 'format'>, signal: AbortSignal): Promise<PreviewPicture> {
    const limit = AbortSignal.timeout(this.#parts.limits.frameMs);
    const either = AbortSignal.any([signal, limit]);
    try {
      const bytes = await this.#draw(movie, frame, { width, format }, either);
      return { time: movie.timeOf(frame), type: `image/${format}`, bytes };
    } catch (error) {
      throw limit.aborted && !signal.aborted ? tooSlow(`the frame at ${movie.timeOf(frame)} s could not be drawn`, this.#parts.limits.frameMs) : error;
    }
  }

  #keep(key: string, work: SharedWork<KeptMovie>): SharedWork<KeptMovie> {
    this.#movies.delete(key);
    this.#movies.set(key, work);
    const [oldest] = this.#movies.keys();
    if (this.#movies.size > mostMovies && oldest !== undefined) this.#movies.delete(oldest);
    return work;
  }

  #startPlan(key: string, script: unknown, width: number): SharedWork<KeptMovie> {
    const work = new SharedWork<KeptMovie>(async (signal) => {
      const limit = AbortSignal.timeout(this.#parts.limits.planMs);
      try {
        return await this.#planning.run(() => this.#plan(script, width, AbortSignal.any([signal, limit])));
      } catch (error) {
        // The next to ask tries again: files may be there then.
        if (this.#movies.get(key) === work) this.#movies.delete(key);
        throw limit.aborted && !signal.aborted ? tooSlow('the movie could not be prepared', this.#parts.limits.planMs) : error;
      }
    });
    return work;
  }

  async #plan(script: unknown, wanted: number, signal: AbortSignal): Promise<KeptMovie> {
    signal.throwIfAborted();
    const workDir = join(this.#parts.folder, 'movie');
    await mkdir(workDir, { recursive: true });
    const movie = this.#parts.parse(script);
    const width = wanted > usualWidth ? movie.width : usualWidth;
    const plan = await planMovie({ script, workDir, signal }, this.#parts.partsForMovie({ movieWidth: movie.width, width }));
    this.#measureNow();
    return new KeptMovie(plan, hasPages(plan.movie) && width < movie.width ? width : Number.POSITIVE_INFINITY);
  }

  async #draw(movie: KeptMovie, frame: number, { width, format }: Pick<DrawWish, 'width' | 'format'>, signal: AbortSignal): Promise<Uint8Array> {
    const path = join(this.#parts.folder, `picture-${randomUUID()}.${format}`);
    try {
      await this.#parts.engine.writeFrame(movie.sized(width).json, frame, path, { signal, type: format });
      return await readOwn(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Unless it was done a moment ago: who writes a text leaves a drawing for every letter. */
  #measureNow(): void {
    if (this.#measuring !== undefined || performance.now() - this.#measuredAt < measureEveryMs) return;
    this.#measuring = this.#measure().finally(() => {
      this.#measuring = undefined;
      this.#measuredAt = performance.now();
    });
  }

  async #measure(): Promise<void> {
    const bytes = await sizeOf(this.#parts.folder).catch(() => 0);
    if (bytes > this.#parts.limits.folderBytes) this.#isFull = true;
  }
}

/** Components may be pages too. */
function hasPages({ scenes, elements }: Movie): boolean {
  return [...scenes.flatMap((scene) => scene.elements), ...elements].some(({ type }) => type === 'html' || type === 'component');
}

function tooSlow(what: string, limitMs: number): AppError {
  return new AppError('RENDER_FAILED', { message: `${what} within the ${limitMs / 1000} s that a preview may take` });
}

/** A file that the engine has written: never what a link leads to. */
async function readOwn(path: string): Promise<Buffer> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const facts = await file.stat();
  if (!facts.isFile() || facts.size > largestPicture) throw new AppError('INTERNAL_ERROR', { detail: `a picture of ${facts.size} bytes` });
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
