/** A monotone cubic through points in ascending order of input (Fritsch and Carlson); constant before the first and after the last. */
export function toneCurve(points: ReadonlyArray<readonly [number, number]>): (input: number) => number {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const slopes = slopesOf(xs, ys);
  const at = (list: readonly number[], index: number): number => list[index] as number;
  return (input) => {
    const last = xs.length - 1;
    if (input <= at(xs, 0)) return at(ys, 0);
    if (input >= at(xs, last)) return at(ys, last);
    let k = 0;
    while (input > at(xs, k + 1)) k += 1;
    const width = at(xs, k + 1) - at(xs, k);
    const t = (input - at(xs, k)) / width;
    const [t2, t3] = [t * t, t * t * t];
    return (
      (2 * t3 - 3 * t2 + 1) * at(ys, k) + (t3 - 2 * t2 + t) * width * at(slopes, k) + (3 * t2 - 2 * t3) * at(ys, k + 1) + (t3 - t2) * width * at(slopes, k + 1)
    );
  };
}

function slopesOf(xs: readonly number[], ys: readonly number[]): number[] {
  const secants = xs.slice(1).map((x, k) => ((ys[k + 1] as number) - (ys[k] as number)) / (x - (xs[k] as number)));
  const slopes = xs.map((_, k) => {
    const [before = secants[k] as number, after = before] = [secants[k - 1], secants[k]];
    return before * after <= 0 ? 0 : (before + after) / 2;
  });
  secants.forEach((secant, k) => {
    if (secant === 0) {
      slopes[k] = 0;
      slopes[k + 1] = 0;
      return;
    }
    const [a, b] = [(slopes[k] as number) / secant, (slopes[k + 1] as number) / secant];
    const length = Math.hypot(a, b);
    if (length <= 3) return;
    slopes[k] = (3 * a * secant) / length;
    slopes[k + 1] = (3 * b * secant) / length;
  });
  return slopes;
}
