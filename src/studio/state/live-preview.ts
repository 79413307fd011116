import { batch, type Signal, signal } from '@preact/signals';
import type { OpenedPreview } from '../../contract/index.js';
import { ApiError, type Connection, isAbort, type Rate } from '../api/connection.js';
import { readFrameRecords } from '../api/frame-records.js';

export interface Problem {
  code: string;
  /** Dotted; empty for the whole script, or where the fault is none of the script's. */
  path: string;
  message: string;
  /** Whether the script is at fault. */
  inScript: boolean;
}

export interface Shown {
  time: number;
  picture: Blob;
}

export interface Wanted {
  movie: unknown;
  variables: Readonly<Record<string, unknown>>;
}

/** After the last keystroke. */
const typingPauseMs = 150;
/** A plan is a request of the account's limit: it waits for a longer pause. */
const planPauseMs = 500;
const mostPicturesAtOnce = 120;
const mostKept = 480;

/**
 * Keeps one picture of the movie current. One request is under way at a time: an edit cuts it off, a jump in time lets
 * it arrive, and of several that wait the latest wins.
 */
export class LivePreview {
  readonly shown: Signal<Shown | undefined> = signal(undefined);
  readonly plan: Signal<OpenedPreview | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** A picture is on its way. */
  readonly isDrawing = signal(false);
  /** What is shown is not yet the script as it stands. */
  readonly isStale = signal(false);
  /** The same of the plan, which may come later: small accounts have few requests. */
  readonly isPlanStale = signal(false);
  readonly #connection: Connection;
  readonly #wanted: () => Wanted | undefined;
  /** Of the pictures, in pixels. */
  #width = 640;
  #kept = new Map<string, Blob>();
  #revision = 0;
  #time = 0;
  #pictureTimer: ReturnType<typeof setTimeout> | undefined;
  #planTimer: ReturnType<typeof setTimeout> | undefined;
  #underWay: { abort: AbortController; revision: number } | undefined;
  #planning: AbortController | undefined;
  #wantsAnother = false;

  constructor(connection: Connection, wanted: () => Wanted | undefined) {
    this.#connection = connection;
    this.#wanted = wanted;
  }

  /** The script, its variables or the key are others now. */
  changed({ atOnce = false }: { atOnce?: boolean } = {}): void {
    this.#revision += 1;
    this.#kept = new Map();
    this.#underWay?.abort.abort();
    this.#planning?.abort();
    clearTimeout(this.#pictureTimer);
    clearTimeout(this.#planTimer);
    this.isStale.value = true;
    this.isPlanStale.value = true;
    this.#pictureTimer = setTimeout(() => void this.#draw(), atOnce ? 0 : typingPauseMs);
    this.#planTimer = setTimeout(() => void this.#makePlan(), atOnce ? 0 : planPauseMs + waitForRoom(this.#connection.rate.peek()));
  }

  /** Pictures that are too small for their place are drawn again; larger ones serve as well. */
  resize(width: number): void {
    if (width <= this.#width) return;
    this.#width = width;
    this.#kept = new Map();
    this.seek(this.#time);
  }

  /** Shows another moment. */
  seek(time: number): void {
    this.#time = time;
    const kept = this.#kept.get(keyOf(time));
    if (kept !== undefined) {
      this.shown.value = { time, picture: kept };
      this.#wantsAnother = false;
      return;
    }
    if (this.#underWay?.revision === this.#revision) this.#wantsAnother = true;
    else void this.#draw();
  }

  /** The next picture is of that time; the present one stays. */
  aim(time: number): void {
    this.#time = time;
  }

  hasPicture(time: number): boolean {
    return this.#kept.has(keyOf(time));
  }

  /** Fetches pictures ahead of time, in order; ends early when the script changes. */
  async prefetch(times: readonly number[], abort: AbortSignal): Promise<void> {
    const wanted = this.#wanted();
    const missing = times.filter((time) => !this.hasPicture(time)).slice(0, mostPicturesAtOnce);
    if (wanted === undefined || missing.length === 0) return;
    const revision = this.#revision;
    const body = { ...wanted, times: missing, width: this.#width };
    const answer = await this.#connection.open('api/preview/frames', { method: 'POST', body, signal: abort });
    let next = 0;
    for await (const { picture } of readFrameRecords(answer)) {
      if (revision !== this.#revision) return;
      // By what was asked for: the frame's own time is the nearest one of the movie.
      const time = missing[next];
      next += 1;
      if (time !== undefined) this.#keep(time, picture);
    }
  }

  async #draw(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted === undefined) return;
    clearTimeout(this.#pictureTimer);
    const revision = this.#revision;
    const time = this.#time;
    const abort = new AbortController();
    this.#underWay = { abort, revision };
    this.isDrawing.value = true;
    this.#wantsAnother = false;
    try {
      const body = { ...wanted, time, width: this.#width };
      const answer = await this.#connection.open('api/preview/frame', { method: 'POST', body, signal: abort.signal });
      const picture = await answer.blob();
      if (revision === this.#revision) this.#arrived(time, picture);
    } catch (error) {
      if (revision === this.#revision && !isAbort(error)) this.#failed(error);
    }
    if (this.#underWay?.abort !== abort) return;
    this.#underWay = undefined;
    this.isDrawing.value = false;
    if (this.#wantsAnother && revision === this.#revision) void this.#draw();
  }

  #arrived(time: number, picture: Blob): void {
    this.#keep(time, picture);
    batch(() => {
      this.shown.value = { time, picture };
      this.problem.value = undefined;
      this.isStale.value = false;
    });
  }

  #failed(error: unknown): void {
    if (error instanceof ApiError && error.status === 429) {
      // Asked again when there is room; what is shown until then is old.
      const revision = this.#revision;
      const again = Math.max(error.retryAfterSeconds, 1) * 1000;
      setTimeout(() => revision === this.#revision && void this.#draw(), again);
      return;
    }
    this.problem.value = toProblem(error);
  }

  async #makePlan(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted === undefined) return;
    const revision = this.#revision;
    const abort = new AbortController();
    this.#planning = abort;
    try {
      const plan = await this.#connection.json<OpenedPreview>('api/preview', { method: 'POST', body: wanted, signal: abort.signal });
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

  #keep(time: number, picture: Blob): void {
    const oldest = this.#kept.size >= mostKept ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(keyOf(time), picture);
  }
}

function keyOf(time: number): string {
  return time.toFixed(3);
}

export function toProblem(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { code: 'INTERNAL', path: '', message: String(error), inScript: false };
  const inScript = error.status === 400 || error.status === 422;
  return { code: error.code, path: error.path ?? '', message: error.message, inScript };
}

/** Small plans have few requests a minute: with most of them spent, the rest is spread over what is left of it. */
function waitForRoom(rate: Rate | undefined): number {
  if (rate === undefined || rate.remaining > rate.limit / 3) return 0;
  const leftMs = rate.resetAt * 1000 - Date.now();
  return leftMs <= 0 ? 0 : Math.min(leftMs, leftMs / Math.max(rate.remaining, 1));
}
