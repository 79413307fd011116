import { batch, type Signal, signal } from '@preact/signals';
import type { OpenedPreview } from '../../contract/index.js';
import { ApiError, type Connection, isAbort, type Rate } from '../api/connection.js';
import { readFrameRecords } from '../api/frame-records.js';

/** An error that the page shows. */
export interface Problem {
  code: string;
  /** Dotted path in the script; empty for the whole script or another cause. */
  path: string;
  message: string;
  /** True when the script causes the error. */
  inScript: boolean;
}

/** The frame that is shown. */
export interface ShownFrame {
  time: number;
  image: Blob;
}

/** Script and variables for requests to the preview. */
export interface PreviewInput {
  movie: unknown;
  variables: Readonly<Record<string, unknown>>;
}

/** Pause after the last keystroke before a frame is requested. */
const typingPauseMs = 150;
/** The same for the plan, which counts towards the account's rate limit. */
const planPauseMs = 500;
const maxFramesPerRequest = 120;
const maxCachedFrames = 480;

/**
 * Keeps the shown frame and the plan of the movie up to date. One frame request is pending at a time: an edit aborts it, seeking does
 * not, and of several waiting requests only the latest is sent.
 */
export class LivePreview {
  readonly shown: Signal<ShownFrame | undefined> = signal(undefined);
  readonly plan: Signal<OpenedPreview | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** A frame request is pending. */
  readonly isDrawing = signal(false);
  /** The shown frame is older than the script. */
  readonly isStale = signal(false);
  /** The plan is older than the script. It may lag behind the frame because of the rate limit. */
  readonly isPlanStale = signal(false);
  readonly #connection: Connection;
  readonly #input: () => PreviewInput | undefined;
  /** Width of frames, in pixels. */
  #width = 640;
  #cache = new Map<string, Blob>();
  #revision = 0;
  #time = 0;
  #frameTimer: ReturnType<typeof setTimeout> | undefined;
  #planTimer: ReturnType<typeof setTimeout> | undefined;
  #pending: { abort: AbortController; revision: number } | undefined;
  #planning: AbortController | undefined;
  #needsAnother = false;

  constructor(connection: Connection, input: () => PreviewInput | undefined) {
    this.#connection = connection;
    this.#input = input;
  }

  /** Call after a change of the script, its variables or the API key. */
  invalidate({ atOnce = false }: { atOnce?: boolean } = {}): void {
    this.#revision += 1;
    this.#cache = new Map();
    this.#pending?.abort.abort();
    this.#planning?.abort();
    clearTimeout(this.#frameTimer);
    clearTimeout(this.#planTimer);
    this.isStale.value = true;
    this.isPlanStale.value = true;
    this.#frameTimer = setTimeout(() => void this.#draw(), atOnce ? 0 : typingPauseMs);
    this.#planTimer = setTimeout(() => void this.#makePlan(), atOnce ? 0 : planPauseMs + rateLimitDelay(this.#connection.rate.peek()));
  }

  /** Sets the width of frames; smaller widths than before are ignored. */
  resize(width: number): void {
    if (width <= this.#width) return;
    this.#width = width;
    this.#cache = new Map();
    this.seek(this.#time);
  }

  /** Shows the frame at another time. */
  seek(time: number): void {
    this.#time = time;
    const cached = this.#cache.get(keyOf(time));
    if (cached !== undefined) {
      this.shown.value = { time, image: cached };
      this.#needsAnother = false;
      return;
    }
    if (this.#pending?.revision === this.#revision) this.#needsAnother = true;
    else void this.#draw();
  }

  /** Sets the time of the next frame without changing the shown one. */
  aim(time: number): void {
    this.#time = time;
  }

  hasFrame(time: number): boolean {
    return this.#cache.has(keyOf(time));
  }

  /** Requests frames ahead of playback, in order; ends early when the script changes. */
  async prefetch(times: readonly number[], abort: AbortSignal): Promise<void> {
    const input = this.#input();
    const missing = times.filter((time) => !this.hasFrame(time)).slice(0, maxFramesPerRequest);
    if (input === undefined || missing.length === 0) return;
    const revision = this.#revision;
    const body = { ...input, times: missing, width: this.#width };
    const response = await this.#connection.open('api/preview/frames', { method: 'POST', body, signal: abort });
    let next = 0;
    for await (const { image } of readFrameRecords(response)) {
      if (revision !== this.#revision) return;
      // Cached by the requested time: the time of the frame is rounded to the frame rate.
      const time = missing[next];
      next += 1;
      if (time !== undefined) this.#addToCache(time, image);
    }
  }

  async #draw(): Promise<void> {
    const input = this.#input();
    if (input === undefined) return;
    clearTimeout(this.#frameTimer);
    const revision = this.#revision;
    const time = this.#time;
    const abort = new AbortController();
    this.#pending = { abort, revision };
    this.isDrawing.value = true;
    this.#needsAnother = false;
    try {
      const body = { ...input, time, width: this.#width };
      const response = await this.#connection.open('api/preview/frame', { method: 'POST', body, signal: abort.signal });
      const image = await response.blob();
      if (revision === this.#revision) this.#show(time, image);
    } catch (error) {
      if (revision === this.#revision && !isAbort(error)) this.#reportFailure(error);
    }
    if (this.#pending?.abort !== abort) return;
    this.#pending = undefined;
    this.isDrawing.value = false;
    if (this.#needsAnother && revision === this.#revision) void this.#draw();
  }

  #show(time: number, image: Blob): void {
    this.#addToCache(time, image);
    batch(() => {
      this.shown.value = { time, image };
      this.problem.value = undefined;
      this.isStale.value = false;
    });
  }

  #reportFailure(error: unknown): void {
    if (error instanceof ApiError && error.status === 429) {
      // Retried when the limit allows it; until then the shown frame stays.
      const revision = this.#revision;
      const again = Math.max(error.retryAfterSeconds, 1) * 1000;
      setTimeout(() => revision === this.#revision && void this.#draw(), again);
      return;
    }
    this.problem.value = toProblem(error);
  }

  async #makePlan(): Promise<void> {
    const input = this.#input();
    if (input === undefined) return;
    const revision = this.#revision;
    const abort = new AbortController();
    this.#planning = abort;
    try {
      const plan = await this.#connection.json<OpenedPreview>('api/preview', { method: 'POST', body: input, signal: abort.signal });
      if (revision !== this.#revision) return;
      batch(() => {
        this.plan.value = plan;
        this.isPlanStale.value = false;
      });
    } catch (error) {
      if (revision !== this.#revision || isAbort(error)) return;
      if (error instanceof ApiError && error.status === 429) {
        this.#planTimer = setTimeout(() => void this.#makePlan(), Math.max(error.retryAfterSeconds, 1) * 1000);
      } else this.problem.value = toProblem(error);
    }
  }

  #addToCache(time: number, image: Blob): void {
    const oldest = this.#cache.size >= maxCachedFrames ? this.#cache.keys().next().value : undefined;
    if (oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(keyOf(time), image);
  }
}

function keyOf(time: number): string {
  return time.toFixed(3);
}

/** Converts an exception to a Problem. */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { code: 'INTERNAL', path: '', message: String(error), inScript: false };
  const inScript = error.status === 400 || error.status === 422;
  return { code: error.code, path: error.path ?? '', message: error.message, inScript };
}

/** Delay that spreads the remaining requests over the rest of the rate-limit window once two thirds are used. */
function rateLimitDelay(rate: Rate | undefined): number {
  if (rate === undefined || rate.remaining > rate.limit / 3) return 0;
  const leftMs = rate.resetAt * 1000 - Date.now();
  return leftMs <= 0 ? 0 : Math.min(leftMs, leftMs / Math.max(rate.remaining, 1));
}
