import { createCanvas } from '../../canvas/skia.js';
import { type Brush, prepareContext, prepareRun } from '../brush.js';
import type { Letter } from '../letters.js';
import type { Fragment } from '../lines/layout.js';
import type { Pen } from '../paint.js';
import { sizeOf } from '../spans.js';

/** Usual width of the pen in em. */
const PEN_EM = 0.03;
/** Steps in which the outlines of a letter are drawn, and of all letters of a text together. */
const [MIN_STEPS, MAX_STEPS, MAX_ALL_STEPS] = [6, 24, 4000];

/** For each letter the states of the pen, up to the complete outline. `width`: absent: by the font size. */
export function outlineSteps(letters: readonly Letter[], brush: Brush, width?: number): Pen[][] {
  const count = Math.max(MIN_STEPS, Math.min(MAX_STEPS, Math.floor(MAX_ALL_STEPS / Math.max(1, letters.length))));
  const lengths = new Map<string, number>();
  return letters.map((letter) => {
    const size = Math.max(...letter.map(({ face }) => sizeOf(brush, face)));
    const length = Math.max(0, ...letter.map((fragment) => (fragment.blank ? 0 : contourLength(fragment, brush, lengths) * sizeOf(brush, fragment.face))));
    if (length === 0) return [];
    return Array.from({ length: count }, (_, step) => ({ width: width ?? Math.max(1, PEN_EM * size), length: (length * (step + 1)) / count }));
  });
}

function contourLength(fragment: Fragment, brush: Brush, known: Map<string, number>): number {
  const key = `${fragment.face ?? 0} ${fragment.rightToLeft} ${fragment.text}`;
  const length = known.get(key) ?? longestContour(fragment, brush);
  known.set(key, length);
  return length;
}

/** Font size of test drawings. */
const PROBE = 64;
const MAX_PROBE_WIDTH = 4096;
/** Length of a contour, in em, that no letter reaches; of a word by its letters. */
const MAX_LENGTH_EM = 24;
/** Share of the outline that counts as complete. */
const COMPLETE = 0.998;

/**
 * Length of the longest contour of a run in em; 0 without outlines, as of emoji. Canvas draws the outlines of text but does not return them, so this searches for
 * the shortest dash that covers all of them.
 */
function longestContour(fragment: Fragment, brush: Brush): number {
  const scale = PROBE / sizeOf(brush, fragment.face);
  const canvas = createCanvas(Math.min(MAX_PROBE_WIDTH, Math.ceil(fragment.width * scale) + 2 * PROBE), PROBE * 3);
  const context = canvas.getContext('2d');
  prepareContext(context, brush);
  prepareRun(context, brush, fragment);
  context.translate(PROBE, PROBE * 2);
  context.scale(scale, scale);
  context.lineWidth = 2 / scale;
  const ink = (length: number): number => {
    context.save();
    context.resetTransform();
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.restore();
    context.setLineDash([(length * PROBE) / scale, 1e6]);
    context.strokeText(fragment.text, 0, 0);
    const pixels = canvas.data();
    let sum = 0;
    for (let i = 3; i < pixels.length; i += 4) sum += pixels[i] as number;
    return sum;
  };
  let [low, high] = [0, MAX_LENGTH_EM * Math.max(1, fragment.text.length)];
  const complete = ink(high) * COMPLETE;
  if (complete === 0) return 0;
  while (high - low > 0.02) {
    const middle = (low + high) / 2;
    if (ink(middle) >= complete) high = middle;
    else low = middle;
  }
  return high;
}
