/** A quality scale and the bit rates on it. */
export interface RateSearch {
  /** Ends of the scale; `best` is the smaller number. */
  best: number;
  worst: number;
  /** Step of the scale. */
  grain: number;
  kbpsAt: (crf: number) => Promise<number>;
}

/** Accepted relative difference from the requested rate. */
const TOLERANCE = 0.02;

/** Finds the quality whose bit rate is nearest to `kbps` by bisection; rates fall as the number rises. */
export async function findRate(kbps: number, { best, worst, grain, kbpsAt }: RateSearch): Promise<number> {
  let [low, high] = [Math.ceil(best / grain), Math.floor(worst / grain)];
  let nearest = { crf: low * grain, distance: Number.POSITIVE_INFINITY };
  while (low <= high) {
    const middle = (low + high) >> 1;
    const ratio = Math.log((await kbpsAt(middle * grain)) / kbps);
    if (Math.abs(ratio) < nearest.distance) nearest = { crf: middle * grain, distance: Math.abs(ratio) };
    if (nearest.distance < TOLERANCE) break;
    if (ratio > 0) low = middle + 1;
    else high = middle - 1;
  }
  return nearest.crf;
}
