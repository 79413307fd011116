import type { Rect } from '../canvas/bitmap.js';
import type { SceneNode } from '../components/index.js';
import { splitLetters } from '../text/letters.js';
import type { Fragment } from '../text/lines/layout.js';
import { layersOf } from '../text/paint.js';
import { createRandom } from '../text/random.js';
import { type FrameClock, motionCurves } from './curves.js';
import type { Box } from './layout.js';
import type { ComponentPiece } from './piece.js';
import { maxSplitSpreadMs } from './schedule.js';
import type { SpritePainter } from './sprite-painter.js';

/** Texts with more letters are split into words. */
const maxPartCount = 1000;

/** Draws the letters, words or lines of a text as pieces that start their motion one after the other. */
export async function drawSplitText(box: Box, painter: SpritePainter, clock: FrameClock): Promise<ComponentPiece[]> {
  const { node, text } = box;
  if (text === undefined) return [];
  const { fragments, brush } = text;
  const parts = splitFragments(fragments, node.split ?? 'words', brush);
  const order = orderOf(parts.length, node.order);
  const stagger = hasExit(node) ? Math.min(node.staggerMs, maxSplitSpreadMs / Math.max(1, parts.length - 1)) : node.staggerMs;
  const pieces: ComponentPiece[] = [];
  // Shadows and strokes of all parts lie below the letters of all parts.
  for (const layer of layersOf(brush.typography)) {
    for (const [i, part] of parts.entries()) {
      const sprite = await painter.drawText({ fragments: part, around: fragments, layer }, brush);
      if (sprite === undefined) continue;
      const delay = node.delayMs + (order[i] ?? i) * stagger;
      pieces.push({ kind: 'sprite', ...sprite, ...motionCurves(node.motion, delay, cellOf(part, text.brush.typography), sprite, clock) });
    }
  }
  return pieces;
}

/** Whether a scheduled text leaves, for which its parts must have entered in time. */
function hasExit({ motion }: SceneNode): boolean {
  return motion.some(({ keys }) => keys.some(({ isAbsolute }) => isAbsolute === true));
}

/** Splits a text into the parts that move one by one. */
export function splitFragments(fragments: readonly Fragment[], split: 'letters' | 'words' | 'lines', brush: Parameters<typeof splitLetters>[1]): Fragment[][] {
  const words = group(fragments, split === 'lines' ? 'line' : 'word');
  if (split !== 'letters') return words;
  const letters = splitLetters(words, brush).map((letter) => [...letter]);
  return letters.length > maxPartCount ? words : letters;
}

function group(fragments: readonly Fragment[], by: 'word' | 'line'): Fragment[][] {
  const groups = new Map<number, Fragment[]>();
  for (const fragment of fragments) groups.set(fragment[by], [...(groups.get(fragment[by]) ?? []), fragment]);
  return [...groups.entries()].sort(([a], [b]) => a - b).map(([, own]) => own);
}

function orderOf(count: number, order: 'forward' | 'random'): number[] {
  const places = Array.from({ length: count }, (_, i) => i);
  if (order === 'forward') return places;
  const random = createRandom(String(count));
  const keys = places.map(() => random());
  return places.map((i) => keys.filter((key) => key < (keys[i] as number)).length);
}

function cellOf(fragments: readonly Fragment[], { fontSize, lineHeight }: { fontSize: number; lineHeight: number }): Rect {
  const shown = fragments.filter(({ blank }) => !blank);
  const own = shown.length > 0 ? shown : fragments;
  const left = Math.min(...own.map(({ x }) => x));
  const right = Math.max(...own.map(({ x, width }) => x + width));
  const baseline = own[0]?.baseline ?? 0;
  const height = fontSize * lineHeight;
  return { x: left, y: baseline - fontSize * 0.36 - height / 2, width: right - left, height };
}
