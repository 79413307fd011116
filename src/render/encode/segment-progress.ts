/** Adds up the progress of segments that are rendered in parallel. */
export class SegmentProgress {
  readonly #frames: number;
  readonly #onProgress: (stage: string, done: number) => void;
  readonly #done: number[] = [];
  #sum = 0;
  #newest = { index: -1, stage: '' };

  /** `onProgress` is called with the stage of the newest segment and the finished part of all frames, 0..1; neither goes back. */
  constructor(frames: number, onProgress: (stage: string, done: number) => void) {
    this.#frames = frames;
    this.#onProgress = onProgress;
  }

  /** Reports the finished frames of a segment. A restarted segment counts again when it exceeds its earlier count. */
  report(index: number, stage: string, frames: number): void {
    const before = this.#done[index] ?? 0;
    this.#done[index] = Math.max(before, frames);
    this.#sum += this.#done[index] - before;
    if (index > this.#newest.index) this.#newest = { index, stage };
    this.#onProgress(this.#newest.stage, this.#sum / this.#frames);
  }
}
