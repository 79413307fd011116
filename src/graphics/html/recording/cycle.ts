import { createHash } from 'node:crypto';

/** As much as frames are put off onto the clock's grid. */
const toleranceMs = 0.06;
const maxCycleFrames = 3600;
/** How many images of the second round must be those of the first. */
const matchCount = 3;

/** Finds out when endless animations begin anew, so that a round of them need be drawn once only. */
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

  /** The animations move alone from this frame on. */
  expect(frame: number, cyclesMs: readonly number[]): void {
    this.#length = cycleFrames(cyclesMs, this.#fps);
    this.#first = frame;
  }

  /** The image of the next frame. When it proves a cycle: the frame from which all repeats, and how many frames a round has. */
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

/** The smallest number of whole frames after which all begin anew. */
export function cycleFrames(cyclesMs: readonly number[], fps: { num: number; den: number }): number | undefined {
  if (cyclesMs.length === 0) return undefined;
  for (let frames = 1; frames <= maxCycleFrames; frames++) {
    const ms = (frames * 1000 * fps.den) / fps.num;
    const fits = (cycle: number): boolean => ms > cycle - toleranceMs && Math.abs(ms - Math.round(ms / cycle) * cycle) < toleranceMs;
    if (cyclesMs.every(fits)) return frames;
  }
  return undefined;
}
