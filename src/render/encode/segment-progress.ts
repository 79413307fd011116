/** Adds up what the stretches of one picture have done, which are rendered side by side. */
export class SegmentProgress {
  readonly #frames: number;
  readonly #onProgress: (stage: string, done: number) => void;
  readonly #done: number[] = [];
  #sum = 0;
  #newest = { index: -1, stage: '' };

  /** `onProgress` is told the newest stretch's stage, and which part of all frames is done; neither ever steps back. */
  constructor(frames: number, onProgress: (stage: string, done: number) => void) {
    this.#frames = frames;
    this.#onProgress = onProgress;
  }

  /** One that had to begin anew reports fewer frames than before: they count when they are more. */
  report(index: number, stage: string, frames: number): void {
    const before = this.#done[index] ?? 0;
    this.#done[index] = Math.max(before, frames);
    this.#sum += this.#done[index] - before;
    if (index > this.#newest.index) this.#newest = { index, stage };
    this.#onProgress(this.#newest.stage, this.#sum / this.#frames);
  }
}
