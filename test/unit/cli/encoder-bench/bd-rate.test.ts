import { describe, expect, test } from 'vitest';
import { bdRate, interpolate, type RatePoint } from '../../../../src/cli/encoder-bench/bd-rate.js';

const curve = (...points: Array<[number, number]>): RatePoint[] => points.map(([rate, quality]) => ({ rate, quality }));

// The figures that are expected were computed with scipy's PchipInterpolator.
const anchor = curve([686.76, 40.28], [309.58, 37.18], [157.11, 34.24], [85.95, 31.42]);
const worse = curve([893.34, 40.39], [407.8, 37.21], [204.93, 34.17], [112.75, 31.24]);
const uneven = curve([100, 30], [210, 33.5], [380, 36.9], [900, 39.1], [2100, 42.2], [2500, 42.3]);

describe('bdRate', () => {
  test('matches scipy', () => {
    const delta = bdRate(anchor, worse);
    expect(delta?.percent).toBeCloseTo(31.37987820239754, 9);
    expect(delta?.overlapPercent).toBeCloseTo(96.83060109289615, 9);
    expect(bdRate(worse, anchor)?.percent).toBeCloseTo(-23.88484342636945, 9);
    expect(bdRate(anchor, uneven)?.percent).toBeCloseTo(52.91579348536379, 9);
    expect(bdRate(anchor, uneven)?.overlapPercent).toBeCloseTo(72.03252032520327, 9);
  });

  test('is 25 % for a curve that needs a quarter more everywhere', () => {
    const delta = bdRate(
      anchor,
      anchor.map(({ rate, quality }) => ({ rate: rate * 1.25, quality })),
    );
    expect(delta?.percent).toBeCloseTo(25, 9);
    expect(delta?.overlapPercent).toBe(100);
  });

  test('needs four rising points in both curves', () => {
    expect(bdRate(anchor.slice(1), worse)).toBeUndefined();
    expect(bdRate(anchor, curve([100, 30], [200, 29], [300, 31], [400, 30.5], [500, 32]))).toBeUndefined();
  });

  test('is undefined without a common quality range', () => {
    expect(
      bdRate(
        anchor,
        anchor.map(({ rate, quality }) => ({ rate, quality: quality + 20 })),
      ),
    ).toBeUndefined();
  });
});

test('interpolate follows monotone cubics and is undefined outside the points', () => {
  const points = uneven.map(({ rate, quality }) => ({ x: quality, y: Math.log(rate) }));
  expect(interpolate(points, 31)).toBeCloseTo(4.831093102166311, 12);
  expect(interpolate(points, 35)).toBeCloseTo(5.589362070523312, 12);
  expect(interpolate(points, 42.25)).toBeCloseTo(7.72215047524249, 12);
  expect(interpolate(points, 30)).toBeCloseTo(Math.log(100), 12);
  expect(interpolate(points, 43)).toBeUndefined();
});
