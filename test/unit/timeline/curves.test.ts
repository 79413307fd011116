import { describe, expect, test } from 'vitest';
import type { Keyframe } from '../../../src/contract/index.js';
import type { Keyframe as ElementKeyframe } from '../../../src/script/index.js';
import { combine, keyframeCurve, product, sum, valueAt } from '../../../src/timeline/curves.js';

describe('keyframeCurve', () => {
  const linear = { easing: 'linear' } as const;

  test('converts seconds and percentages to frames', () => {
    const keyframes: ElementKeyframe[] = [
      { time: { seconds: 0.5 }, ...linear, x: 10 },
      { time: { fraction: 1 }, easing: 'easeOutCubic', x: 20 },
    ];
    expect(keyframeCurve(keyframes, 'x', 90, 30)).toEqual([
      { frame: 15, value: 10 },
      { frame: 90, value: 20, easing: 'easeOutCubic' },
    ]);
  });

  test('skips keyframes without the property and returns undefined if none has it', () => {
    const keyframes = [
      { time: { seconds: 0 }, ...linear, x: 10, opacity: 0 },
      { time: { seconds: 1 }, ...linear, opacity: 1 },
    ];
    expect(keyframeCurve(keyframes, 'x', 90, 30)).toEqual([{ frame: 0, value: 10 }]);
    expect(keyframeCurve(keyframes, 'scale', 90, 30)).toBeUndefined();
  });

  test('sorts keyframes given in percentages and seconds', () => {
    const keyframes = [
      { time: { fraction: 0.5 }, ...linear, y: 1 },
      { time: { seconds: 0.1 }, ...linear, y: 2 },
      { time: { seconds: 1.5 }, ...linear, y: 3 },
    ];
    expect(keyframeCurve(keyframes, 'y', 90, 30)).toEqual([
      { frame: 3, value: 2 },
      { frame: 45, value: 3 },
    ]);
  });
});

describe('combine', () => {
  const ramp = [
    { frame: 0, value: 0 },
    { frame: 10, value: 10 },
  ];

  test('returns a single curve unchanged', () => {
    expect(combine(ramp, undefined, 10, sum)).toBe(ramp);
    expect(combine(undefined, 3, 10, sum)).toBe(3);
    expect(combine(undefined, undefined, 10, sum)).toBeUndefined();
  });

  test('combines a constant with the keyframes of the other curve', () => {
    expect(combine(ramp, 2, 10, product)).toEqual([
      { frame: 0, value: 0 },
      { frame: 10, value: 20 },
    ]);
    expect(combine(3, 2, 10, sum)).toBe(5);
  });

  test('samples two animated curves at every frame', () => {
    const eased: Keyframe[] = [
      { frame: 0, value: 1, easing: 'easeInQuad' },
      { frame: 10, value: 3 },
    ];
    const both = combine(ramp, eased, 10, product);
    expect(both).toHaveLength(11);
    expect(valueAt(both as typeof ramp, 5)).toBeCloseTo(5 * (1 + 2 * 0.25));
  });
});

test('values are constant before the first keyframe and after the last', () => {
  const curve = [
    { frame: 5, value: 1 },
    { frame: 10, value: 2 },
  ];
  expect([0, 5, 7.5, 10, 99].map((frame) => valueAt(curve, frame))).toEqual([1, 1, 1.5, 2, 2]);
});
