/** A point of a rate–distortion curve. */
export interface RatePoint {
  /** Bit rate in any unit, above 0. */
  rate: number;
  /** Higher is better. */
  quality: number;
}

/** Bjøntegaard delta rate of a curve against an anchor. */
export interface BdRate {
  /** Difference in rate at the same quality, in percent; negative: the curve needs less than the anchor. */
  percent: number;
  /** Share of the combined quality range that both curves cover, in percent; results below about 70 are unreliable. */
  overlapPercent: number;
}

const MIN_POINTS = 4;

/**
 * Computes the Bjøntegaard delta rate: the mean difference of the logarithms of the rates over the common quality range, interpolated
 * by PCHIP. Undefined if a curve has fewer than four points with rising quality, or if the ranges do not overlap.
 */
export function bdRate(anchor: readonly RatePoint[], curve: readonly RatePoint[]): BdRate | undefined {
  const [a, b] = [risingPoints(anchor), risingPoints(curve)];
  if (a.length < MIN_POINTS || b.length < MIN_POINTS) return undefined;
  const [lowA, highA, lowB, highB] = [first(a).x, last(a).x, first(b).x, last(b).x];
  const [low, high] = [Math.max(lowA, lowB), Math.min(highA, highB)];
  if (high <= low) return undefined;
  const difference = (pchipIntegral(b, low, high) - pchipIntegral(a, low, high)) / (high - low);
  return { percent: (Math.exp(difference) - 1) * 100, overlapPercent: ((high - low) / (Math.max(highA, highB) - Math.min(lowA, lowB))) * 100 };
}

/** PCHIP interpolation of the points at `x`; undefined outside their range. */
export function interpolate(points: ReadonlyArray<{ x: number; y: number }>, x: number): number | undefined {
  const sorted = [...points].sort((left, right) => left.x - right.x);
  if (sorted.length < 2 || x < first(sorted).x || x > last(sorted).x) return undefined;
  const slopes = pchipSlopes(sorted);
  const at = Math.max(0, sorted.findIndex((point) => point.x >= x) - 1);
  const [from, to] = [itemAt(sorted, at), itemAt(sorted, at + 1)];
  const width = to.x - from.x;
  const t = (x - from.x) / width;
  const [d0, d1] = [itemAt(slopes, at) * width, itemAt(slopes, at + 1) * width];
  return from.y * (2 * t ** 3 - 3 * t ** 2 + 1) + d0 * (t ** 3 - 2 * t ** 2 + t) + to.y * (3 * t ** 2 - 2 * t ** 3) + d1 * (t ** 3 - t ** 2);
}

interface Knot {
  x: number;
  y: number;
}

/** Points as (quality, log rate) in rising order, without points that another one beats in rate and quality. */
export function risingPoints(points: readonly RatePoint[]): Knot[] {
  const sorted = points.filter(({ rate, quality }) => rate > 0 && Number.isFinite(quality)).sort((a, b) => a.rate - b.rate);
  const rising: Knot[] = [];
  for (const { rate, quality } of sorted) {
    const before = rising.at(-1);
    if (before === undefined || quality > before.x) rising.push({ x: quality, y: Math.log(rate) });
  }
  return rising;
}

/** Slopes after Fritsch and Butland: weighted harmonic means inside, 0 at extrema, a three-point formula at the ends. */
function pchipSlopes(knots: readonly Knot[]): number[] {
  const n = knots.length;
  const widths = knots.slice(1).map((knot, i) => knot.x - itemAt(knots, i).x);
  const steps = knots.slice(1).map((knot, i) => (knot.y - itemAt(knots, i).y) / itemAt(widths, i));
  if (n === 2) return [itemAt(steps, 0), itemAt(steps, 0)];
  const inner = knots.slice(1, -1).map((_, i) => {
    const [before, after, left, right] = [itemAt(steps, i), itemAt(steps, i + 1), itemAt(widths, i), itemAt(widths, i + 1)];
    if (before * after <= 0) return 0;
    const [w1, w2] = [2 * right + left, right + 2 * left];
    return (w1 + w2) / (w1 / before + w2 / after);
  });
  return [
    endSlope(itemAt(widths, 0), itemAt(widths, 1), itemAt(steps, 0), itemAt(steps, 1)),
    ...inner,
    endSlope(last(widths), itemAt(widths, n - 3), last(steps), itemAt(steps, n - 3)),
  ];
}

function endSlope(width: number, nextWidth: number, step: number, nextStep: number): number {
  const slope = ((2 * width + nextWidth) * step - width * nextStep) / (width + nextWidth);
  if (slope * step <= 0) return 0;
  return step * nextStep < 0 && Math.abs(slope) > 3 * Math.abs(step) ? 3 * step : slope;
}

/** Simpson's rule, which is exact for cubic polynomials. */
function pchipIntegral(knots: readonly Knot[], low: number, high: number): number {
  let sum = 0;
  for (let i = 0; i + 1 < knots.length; i++) {
    const [from, to] = [Math.max(low, itemAt(knots, i).x), Math.min(high, itemAt(knots, i + 1).x)];
    if (to <= from) continue;
    const value = (x: number): number => interpolate(knots, x) ?? Number.NaN;
    sum += ((to - from) / 6) * (value(from) + 4 * value((from + to) / 2) + value(to));
  }
  return sum;
}

function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`no item ${index} of ${list.length}`);
  return item;
}

function first<T>(list: readonly T[]): T {
  return itemAt(list, 0);
}

function last<T>(list: readonly T[]): T {
  return itemAt(list, list.length - 1);
}
