/** Scale of a plot. */
export interface Axis {
  /** Maps a value to SVG units. */
  place: (value: number) => number;
  ticks: number[];
}

/** Logarithmic axis with ticks at 1, 2 and 5 times powers of ten. */
export function logAxis(values: readonly number[], from: number, to: number): Axis {
  const [low, high] = [Math.min(...values) / 1.12, Math.max(...values) * 1.12];
  const [start, end] = [Math.log(low), Math.log(high)];
  const powers = Array.from({ length: 13 }, (_, i) => 10 ** (i - 4));
  const ticks = powers.flatMap((power) => [1, 2, 5].map((digit) => digit * power)).filter((tick) => tick >= low && tick <= high);
  const denseTicks = powers.flatMap((power) => [1, 1.5, 2, 3, 4, 5, 6, 8].map((digit) => digit * power)).filter((tick) => tick >= low && tick <= high);
  return { place: (value) => from + ((Math.log(value) - start) / (end - start)) * (to - from), ticks: ticks.length >= 3 ? ticks : denseTicks };
}

/** Linear axis with about five round ticks. */
export function linearAxis(values: readonly number[], from: number, to: number): Axis {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = high > low ? (high - low) * 0.08 : Math.max(1, Math.abs(high) * 0.1);
  [low, high] = [low - margin, high + margin];
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((digit) => digit * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++) ticks.push(tick * step);
  return { place: (value) => from + ((value - low) / (high - low)) * (to - from), ticks };
}

/** Text of a tick without superfluous digits. */
export function tickText(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 2 });
}
