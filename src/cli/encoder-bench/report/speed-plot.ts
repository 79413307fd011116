import type { Comparison, Metric } from '../results.js';
import { metrics } from '../results.js';
import { linearAxis, logAxis } from './axis.js';
import { frame, type Look, marker, plot } from './plot.js';
import { escapeHtml, signed } from './text.js';

interface SpeedPoint {
  look: Look;
  /** Frames per second at equal quality. */
  speed: number;
  /** BD-rate against the anchor, in percent. */
  rate: number;
}

/** Plots BD-rate over speed at equal quality, with the Pareto front as a dashed line; empty without points. */
export function speedPlot(comparisons: readonly Comparison[], looks: readonly Look[], metric: Metric): string {
  const points = looks.flatMap((look): SpeedPoint[] => {
    const comparison = comparisons.find(({ configuration }) => configuration === look.name);
    const [speed, delta] = [comparison?.speed[metric], comparison?.bdRates[metric]];
    return speed === undefined || delta === undefined ? [] : [{ look, speed, rate: delta.percent }];
  });
  if (points.length === 0) return '';
  const { title } = metrics[metric];
  const x = logAxis(
    points.map(({ speed }) => speed),
    frame.left,
    frame.width - frame.right,
  );
  const y = linearAxis([...points.map(({ rate }) => rate), 0], frame.height - frame.bottom, frame.top);
  const front = paretoFront(points);
  const path = front.map(({ speed, rate }, i) => `${i === 0 ? 'M' : 'L'}${x.place(speed).toFixed(1)} ${y.place(rate).toFixed(1)}`).join('');
  const zero = y.place(0).toFixed(1);
  const marks = points.map((point) => markWithName(point, x.place(point.speed), y.place(point.rate)));
  const content = `<line class="zero" x1="${frame.left}" x2="${frame.width - frame.right}" y1="${zero}" y2="${zero}"/><path class="front" d="${path}"/>${marks.join('')}`;
  return plot(
    `Rate over speed at equal ${title}`,
    x,
    y,
    { x: 'frames/s at equal quality (logarithmic)', y: `rate for equal ${title}, % (lower is better)` },
    content,
  );
}

function markWithName({ look, speed, rate }: SpeedPoint, x: number, y: number): string {
  // Keeps the label inside the plot.
  const onLeft = x > frame.width * 0.72;
  const label = `<text class="name" x="${(x + (onLeft ? -10 : 10)).toFixed(1)}" y="${y.toFixed(1)}" dy="0.35em" text-anchor="${onLeft ? 'end' : 'start'}">${escapeHtml(look.name)}</text>`;
  return marker(look, x, y, `${look.name}\n${signed(rate, 1)} % rate, ${speed.toFixed(1)} frames/s at equal quality`, 6) + label;
}

/** The points that no other beats in speed and rate, by rising speed. */
export function paretoFront<T extends { speed: number; rate: number }>(points: readonly T[]): T[] {
  return points
    .filter(
      (point) =>
        !points.some(
          (other) => other !== point && other.speed >= point.speed && other.rate <= point.rate && (other.speed > point.speed || other.rate < point.rate),
        ),
    )
    .sort((a, b) => a.speed - b.speed);
}
