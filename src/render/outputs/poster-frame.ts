import type { Engine } from '../../engine/index.js';
import { scaledCanvas, scaleTimeline, type Timeline } from '../../timeline/index.js';

/** Frames that are compared, spread over the movie. */
const CANDIDATES = 12;
/** Width of the compared frames in pixels: enough to see whether a frame is sharp. */
const COMPARED_WIDTH = 320;
/** Levels of luma beyond which a frame counts as black or white. */
const DARK = 28;
const BRIGHT = 228;

/**
 * Chooses the frame that shows best what a movie is about: neither black nor white, rich in detail, sharp, and still, because in a moving
 * frame texts are often incomplete. Returns a frame of the canvas.
 */
export async function choosePosterFrame(timeline: Timeline, engine: Pick<Engine, 'composeFrame'>, signal: AbortSignal): Promise<number> {
  const { canvas } = timeline;
  const small = Buffer.from(JSON.stringify(scaleTimeline(timeline, scaledCanvas(canvas, COMPARED_WIDTH))));
  let best = { frame: 0, score: Number.NEGATIVE_INFINITY };
  for (const frame of candidateFrames(canvas.frames)) {
    const shown = luma(await engine.composeFrame(small, frame, { signal }));
    const next = luma(await engine.composeFrame(small, Math.min(canvas.frames - 1, frame + 1), { signal }));
    const score = scoreOf(shown) - motionBetween(shown, next);
    if (score > best.score) best = { frame, score };
  }
  return best.frame;
}

/** The middles of equal parts of the movie. */
function candidateFrames(frames: number): number[] {
  const count = Math.min(CANDIDATES, frames);
  return Array.from({ length: count }, (_, index) => Math.min(frames - 1, Math.floor(((index + 0.5) * frames) / count)));
}

interface Luma {
  width: number;
  values: Uint8Array;
}

function luma({ width, height, pixels }: Awaited<ReturnType<Engine['composeFrame']>>): Luma {
  const values = new Uint8Array(width * height);
  for (let index = 0; index < values.length; index++) {
    const [r = 0, g = 0, b = 0] = [pixels[index * 4], pixels[index * 4 + 1], pixels[index * 4 + 2]];
    values[index] = (r * 54 + g * 183 + b * 19) >> 8;
  }
  return { width, values };
}

/** From -2 for a black frame to 2 for a frame with much contrast and fine detail. */
function scoreOf({ width, values }: Luma): number {
  let [sum, squares, edges] = [0, 0, 0];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    sum += value;
    squares += value * value;
    if (index % width > 0) edges += Math.abs(value - (values[index - 1] ?? 0));
  }
  const mean = sum / values.length;
  const deviation = Math.sqrt(Math.max(0, squares / values.length - mean * mean));
  const isEmpty = (mean < DARK || mean > BRIGHT) && deviation < DARK;
  return Math.min(1, deviation / 64) + Math.min(1, edges / values.length / 8) - (isEmpty ? 2 : 0);
}

/** 0 for equal frames to 1 for frames that differ by 6 levels or more on average. */
function motionBetween(a: Luma, b: Luma): number {
  let difference = 0;
  for (let index = 0; index < a.values.length; index++) difference += Math.abs((a.values[index] ?? 0) - (b.values[index] ?? 0));
  return Math.min(1, difference / a.values.length / 6);
}
