import { describe, expect, it } from 'vitest';
import { splitRange } from '../../../src/timeline/index.js';

const at = (num: number, den = 1, keyframeSeconds = 5) =>
  ({
    canvas: { width: 2, height: 2, frames: 1, fps: { num, den } },
    encode: { encoder: 'libx264', preset: '', crf: 0, keyframeSeconds, audioBitrate: 0 },
  }) as const;

describe('a long scene is split', () => {
  it.each([
    [30, 600],
    [30, 1],
    [25, 500],
  ])('at %i frames a second not one of %i frames', (rate, frames) => {
    expect(splitRange({ first: 7, end: 7 + frames }, at(rate))).toEqual([{ first: 7, end: 7 + frames }]);
  });

  it('at keyframes, without a gap', () => {
    expect(splitRange({ first: 100, end: 100 + 601 }, at(30))).toEqual([
      { first: 100, end: 550 },
      { first: 550, end: 701 },
    ]);
  });

  it.each([
    [30, 1],
    [30_000, 1001],
    [24, 1],
    [60, 1],
  ])('of ten minutes into about thirty segments at %i/%i', (num, den) => {
    const end = Math.round((600 * num) / den);
    const ranges = splitRange({ first: 0, end }, at(num, den));
    expect(ranges.length).toBeGreaterThanOrEqual(30);
    expect(ranges.length).toBeLessThanOrEqual(40);
    expect(ranges[0]?.first).toBe(0);
    expect(ranges.at(-1)?.end).toBe(end);
    for (const [index, range] of ranges.entries()) {
      expect(range.end).toBeGreaterThan(range.first);
      expect(range.first).toBe(ranges[index - 1]?.end ?? 0);
      expect(range.end - range.first).toBeLessThanOrEqual(Math.ceil((20 * num) / den));
    }
  });

  it('also if keyframes are farther apart than a segment is long', () => {
    expect(splitRange({ first: 0, end: 3000 }, at(30, 1, 60))).toEqual([
      { first: 0, end: 1800 },
      { first: 1800, end: 3000 },
    ]);
  });
});
