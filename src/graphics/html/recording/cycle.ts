import { createHash } from 'node:crypto';

/** Maximum rounding of frame times to the clock's grid. */
const toleranceMs = 0.06;
const maxCycleFrames = 3600;
/** Number of frames of the second cycle that must equal those of the first. */
const matchCount = 3;

/** Detects when endless animations repeat, so that only one cycle has to be drawn. */
export class CycleFinder {
  readonly #fps: { num: number; den: number };
  readonly #names: string[] = [];
  #first = 0;
  #length: number | undefined;

  constructor(fps: { num: number; den: number }) {
    this.#fps = fps;
  }

  get isLooking(): boolean {
    return this.#length === undefined;
  }

  /** From this frame on, only animations with these periods move the page. */
  expect(frame: number, cyclesMs: readonly number[]): void {
    this.#length = cycleFrames(cyclesMs, this.#fps);
    this.#first = frame;
  }

  /** Adds the image of the next frame. Returns the first frame and the length of the cycle once it is confirmed. */
  add(image: Buffer): { from: number; frames: number } | undefined {
    this.#names.push(createHash('sha256').update(image).digest('base64'));
    const frame = this.#names.length - 1;
    if (this.#length === undefined || frame < this.#first + this.#length + matchCount - 1) return undefined;
    const length = this.#length;
    this.#length = undefined;
    for (let i = 0; i < matchCount; i++) if (this.#names[frame - i] !== this.#names[frame - i - length]) return undefined;
    return { from: frame + 1 - length, frames: length };
  }
}

/** The smallest number of frames that is a multiple of all periods; undefined if there is none up to the limit. */
export function cycleFrames(cyclesMs: readonly number[], fps: { num: number; den: number }): number | undefined {
  if (cyclesMs.length === 0) return undefined;
  for (let frames = 1; frames <= maxCycleFrames; frames++) {
    const ms = (frames * 1000 * fps.den) / fps.num;
    const fits = (cycle: number): boolean => ms > cycle - toleranceMs && Math.abs(ms - Math.round(ms / cycle) * cycle) < toleranceMs;
    if (cyclesMs.every(fits)) return frames;
  }
  return undefined;
}
