import type { LadderRung, OutputCodec } from '../movie.js';
import { nearestEven } from '../values/canvas.js';
import { MIN_AV1_PIXELS } from '../values/codec.js';

/** Short sides of the sizes below the largest one, in pixels. */
const STANDARD_SIDES = [1440, 1080, 720, 480, 360, 240];
/** How much smaller a size must be than the one before it. */
const MAX_STEP = 0.76;
const MAX_RUNGS = 5;

/** Sizes for a stream whose largest size is that of the output: players choose among them by their bandwidth. */
export function standardLadder({ width, height, codec }: { width: number; height: number; codec: OutputCodec | undefined }): LadderRung[] {
  const ladder: LadderRung[] = [{ width, height }];
  let last = Math.min(width, height);
  for (const side of STANDARD_SIDES) {
    if (ladder.length === MAX_RUNGS) break;
    if (side > last * MAX_STEP || (codec === 'av1' && side < MIN_AV1_PIXELS)) continue;
    const scale = side / Math.min(width, height);
    ladder.push({ width: nearestEven(width * scale), height: nearestEven(height * scale) });
    last = side;
  }
  return ladder;
}
