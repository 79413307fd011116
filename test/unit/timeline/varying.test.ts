import { expect, test } from 'vitest';
import type { Varying } from '../../../src/script/index.js';
import { joinStates, type Piece, statesOf } from '../../../src/timeline/index.js';

const track = (...keys: Array<[time: Varying<unknown>['tracks'][number]['keys'][number]['time'], value: unknown]>) => ({
  path: ['value'],
  keys: keys.map(([time, value]) => ({ time, value, easing: 'linear' as const })),
});

test('an element has a state for each frame between keyframes, and one before and after them', () => {
  const varying = { tracks: [track([{ seconds: 0.2 }, 10], [{ fraction: 0.5 }, 20])], at: ([value]: readonly unknown[]) => value };
  expect(statesOf(varying, 10, 10)).toEqual([
    { start: 0, frames: 3, element: 10 },
    { start: 3, frames: 1, element: 13.33333 },
    { start: 4, frames: 1, element: 16.66667 },
    { start: 5, frames: 5, element: 20 },
  ]);
});

test('values that do not change together are found by their own keyframes', () => {
  const varying = { tracks: [track([{ seconds: 0 }, 0], [{ seconds: 1 }, 4]), track([{ fraction: 0 }, 'a'])], at: (values: readonly unknown[]) => values };
  expect(statesOf(varying, 4, 4).map(({ element }) => element)).toEqual([0, 1, 2, 3].map((value) => [value, 'a']));
});

test('a change over a long time is drawn every few frames', () => {
  const varying = { tracks: [track([{ seconds: 0 }, 0], [{ fraction: 1 }, 1])], at: (values: readonly unknown[]) => values };
  const states = statesOf(varying, 5000, 25);
  expect(states.length).toBeLessThanOrEqual(1800);
  expect(states[10]).toMatchObject({ start: 30, frames: 3 });
  expect(states.reduce((sum, { frames }) => sum + frames, 0)).toBe(5000);
});

const piece = (path: string, more: Partial<Piece> = {}): Piece => ({ kind: 'sprite', path, x: 0, y: 0, width: 2, height: 2, ...more }) as Piece;

test('what stays the same is one piece, in its place between what changes', () => {
  const joined = joinStates([
    { start: 0, frames: 3, pieces: [piece('back'), piece('a'), piece('front')] },
    { start: 3, frames: 1, pieces: [piece('back'), piece('b'), piece('front')] },
    { start: 4, frames: 6, pieces: [piece('back'), piece('a')] },
  ]);
  expect(joined.map((one) => [(one as { path: string }).path, one.start, one.frames])).toEqual([
    ['back', 0, 10],
    ['a', 0, 3],
    ['b', 3, 1],
    ['a', 4, 6],
    ['front', 0, 4],
  ]);
});

test('a piece is shown during its own time and that of its state alone', () => {
  const shown = joinStates([
    { start: 0, frames: 5, pieces: [piece('a', { start: 2, frames: 10 }), piece('late', { start: 7 })] },
    { start: 5, frames: 5, pieces: [piece('b', { start: 2, frames: 10 }), piece('late', { start: 7 })] },
  ]);
  expect(shown.map((one) => [(one as { path: string }).path, one.start, one.frames])).toEqual([
    ['a', 2, 3],
    ['b', 5, 5],
    ['late', 7, 3],
  ]);
});
