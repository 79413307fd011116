import { effect, type Signal, signal } from '@preact/signals';
import { isAbort } from '../api/connection.js';
import type { LivePreview } from './live-preview.js';

/** Frame rate of playback: enough to judge motion, and about as fast as frames are rendered. */
const playingFps = 12;
/** Frames to buffer before playback starts or resumes. */
const minBufferedFrames = 4;

/** Playback of the preview. */
export class Player {
  /** Seconds. */
  readonly time: Signal<number> = signal(0);
  readonly isPlaying = signal(false);
  /** True while playback waits for frames. */
  readonly isWaiting = signal(false);
  readonly #preview: LivePreview;
  #abort: AbortController | undefined;

  constructor(preview: LivePreview) {
    this.#preview = preview;
    effect(() => {
      const { duration = 0 } = preview.plan.value ?? {};
      if (duration > 0 && this.time.peek() >= duration) this.seek(this.#last());
    });
  }

  get #step(): number {
    const { fps = playingFps } = this.#preview.plan.peek() ?? {};
    return 1 / Math.min(fps, playingFps);
  }

  /** The time of the last frame. */
  #last(): number {
    const { frames = 1, fps = 1 } = this.#preview.plan.peek() ?? {};
    return Math.max(0, (frames - 1) / fps);
  }

  seek(time: number): void {
    this.pause();
    this.#show(Math.min(Math.max(time, 0), this.#last()));
  }

  /** Sets the time at which the next movie is shown. */
  aim(time: number): void {
    this.pause();
    this.time.value = time;
    this.#preview.aim(time);
  }

  /** By whole frames. */
  stepFrames(count: number): void {
    const { fps = 1 } = this.#preview.plan.peek() ?? {};
    this.seek((Math.round(this.time.peek() * fps) + count) / fps);
  }

  toggle(): void {
    if (this.isPlaying.peek()) this.pause();
    else void this.#play();
  }

  pause(): void {
    if (!this.isPlaying.peek()) return;
    this.#abort?.abort();
    this.isPlaying.value = false;
    this.isWaiting.value = false;
    this.#preview.seek(this.time.peek());
  }

  #show(time: number): void {
    this.time.value = time;
    this.#preview.seek(time);
  }

  async #play(): Promise<void> {
    const { plan } = this.#preview;
    if (plan.peek() === undefined) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.isPlaying.value = true;
    if (this.time.peek() >= this.#last() - this.#step / 2) this.time.value = 0;
    void this.#fetchAhead(abort).catch((error: unknown) => {
      if (!isAbort(error)) this.pause();
    });
    await this.#advance(abort.signal);
    if (this.#abort === abort && !abort.signal.aborted) {
      this.isPlaying.value = false;
      this.#show(this.#last());
    }
  }

  /** Frame times from `from` on, multiples of the step so that later playbacks use the same cached frames. */
  #grid(from: number): number[] {
    const step = this.#step;
    const times: number[] = [];
    for (let index = Math.round(from / step); index * step <= this.#last(); index += 1) times.push(index * step);
    return times;
  }

  async #fetchAhead(abort: AbortController): Promise<void> {
    while (!abort.signal.aborted) {
      const missing = this.#grid(this.time.peek()).filter((time) => !this.#preview.hasFrame(time));
      if (missing.length === 0) return;
      await this.#preview.prefetch(missing, abort.signal);
    }
  }

  async #advance(abort: AbortSignal): Promise<void> {
    const grid = this.#grid(this.time.peek());
    let index = 0;
    let last = await nextFrame();
    let carried = 0;
    while (!abort.aborted && index < grid.length) {
      const now = await nextFrame();
      const upcoming = grid.slice(index, index + (this.isWaiting.peek() || index === 0 ? minBufferedFrames : 1));
      const isThere = upcoming.every((time) => this.#preview.hasFrame(time));
      this.isWaiting.value = !isThere;
      carried = isThere ? carried + (now - last) / 1000 : 0;
      last = now;
      if (!isThere) continue;
      while (carried >= this.#step || index === 0) {
        carried = Math.max(0, carried - this.#step);
        const time = grid[index];
        if (time === undefined || abort.aborted || !this.#preview.hasFrame(time)) break;
        this.#show(time);
        index += 1;
      }
    }
  }
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
