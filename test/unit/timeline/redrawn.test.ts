import { describe, expect, test } from 'vitest';
import type { PhaseAnimation } from '../../../src/script/index.js';
import { redrawnPart, stepsOf } from '../../../src/timeline/animation/redrawn.js';

const FPS = 30;
const phase = (type: 'scramble' | 'draw-on', name: 'in' | 'out') => ({
  animation: { type, easing: 'linear' } as PhaseAnimation,
  phase: name,
  window: { from: 10, to: 30 },
  from: 0,
  to: 40,
});
const part = { role: 'letter', index: 0 };
const variants = (type: 'scramble' | 'draw-on', count: number) => Array.from({ length: count }, (_, step) => ({ ...part, variant: { of: type, step } }));

/** The pieces that are shown at each frame, the part itself as -1. */
function shownAt(type: 'scramble' | 'draw-on', name: 'in' | 'out', count: number): (frame: number) => number[] {
  const pieces = [part, ...variants(type, count)];
  const shown = pieces.map((piece) => redrawnPart(piece, phase(type, name), stepsOf(pieces), FPS));
  return (frame) => shown.flatMap((list, i) => (list.some(({ start, frames }) => frame >= start && frame < start + frames) ? [i - 1] : []));
}

describe('scramble', () => {
  test('shows random letters one after the other, then the letter', () => {
    const at = shownAt('scramble', 'in', 4);
    expect(at(9)).toEqual([]);
    const middle = Array.from({ length: 20 }, (_, k) => at(10 + k));
    for (const shown of middle) expect(shown).toHaveLength(1);
    expect(new Set(middle.flat()).size).toBe(4);
    expect(middle.flat()).not.toContain(-1);
    expect([at(30), at(39)]).toEqual([[-1], [-1]]);
  });

  test('leaves through random letters', () => {
    const at = shownAt('scramble', 'out', 4);
    expect([at(0), at(9)]).toEqual([[-1], [-1]]);
    expect(at(15)).not.toContain(-1);
    expect(at(30)).toEqual([]);
  });

  test('shows punctuation, which has no random letters, all the time', () => {
    expect([9, 10, 29, 35].map(shownAt('scramble', 'in', 0))).toEqual([[], [-1], [-1], [-1]]);
    expect([9, 29, 30].map(shownAt('scramble', 'out', 0))).toEqual([[-1], [-1], []]);
  });
});

describe('draw-on', () => {
  test('draws the outline, then fades in the letter', () => {
    const at = shownAt('draw-on', 'in', 8);
    const steps = Array.from({ length: 13 }, (_, k) => at(10 + k)).flat();
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(at(24)).toEqual([-1, 7]);
    expect([at(9), at(35)]).toEqual([[], [-1]]);
  });

  test('takes the outline back to nothing', () => {
    const at = shownAt('draw-on', 'out', 8);
    expect(at(5)).toEqual([-1]);
    expect(at(12)).toEqual([-1, 7]);
    expect(at(29)).toEqual([]);
  });
});
