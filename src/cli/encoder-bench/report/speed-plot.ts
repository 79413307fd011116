import type { Comparison, Metric } from '../results.js';
import { metrics } from '../results.js';
import { linearAxis, logAxis } from './axis.js';
import { frame, type Look, marker, plot } from './plot.js';
import { escapeHtml, signed } from './text.js';

interface Place {
  look: Look;
  /** Frames a second at equal quality. */
  speed: number;
  /** Beside the anchor, percent. */
  rate: number;
}

/** Rate for equal quality over speed at equal quality: best is below on the right. The dashed line joins those that none beats in both. */
export function speedPlot(comparisons: readonly Comparison[], looks: readonly Look[], metric: Metric): string {
  const places = looks.flatMap((look): Place[] => {
    const comparison = comparisons.find(({ configuration }) => configuration === look.name);
    const [speed, delta] = [comparison?.speed[metric], comparison?.bdRates[metric]];
    return speed === undefined || delta === undefined ? [] : [{ look, speed, rate: delta.percent }];
  });
  if (places.length === 0) return '';
  const { title } = metrics[metric];
  const x = logAxis(
    places.map(({ speed }) => speed),
    frame.left,
    frame.width - frame.right,
  );
  const y = linearAxis([...places.map(({ rate }) => rate), 0], frame.height - frame.bottom, frame.top);
  const front = paretoFront(places);
  const path = front.map(({ speed, rate }, i) => `${i === 0 ? 'M' : 'L'}${x.place(speed).toFixed(1)} ${y.place(rate).toFixed(1)}`).join('');
  const zero = y.place(0).toFixed(1);
  const marks = places.map((place) => markWithName(place, x.place(place.speed), y.place(place.rate)));
  const content = `<line class="zero" x1="${frame.left}" x2="${frame.width - frame.right}" y1="${zero}" y2="${zero}"/><path class="front" d="${path}"/>${marks.join('')}`;
  return plot(
    `Rate over speed at equal ${title}`,
    x,
    y,
    { x: 'frames a second at equal quality (logarithmic)', y: `rate for equal ${title}, % (lower is better)` },
    content,
  );
}

function markWithName({ look, speed, rate }: Place, x: number, y: number): string {
  // Names stay inside the plot.
  const onLeft = x > frame.width * 0.72;
  const label = `<text class="name" x="${(x + (onLeft ? -10 : 10)).toFixed(1)}" y="${y.toFixed(1)}" dy="0.35em" text-anchor="${onLeft ? 'end' : 'start'}">${escapeHtml(look.name)}</text>`;
  return marker(look, x, y, `${look.name}\n${signed(rate, 1)} % rate, ${speed.toFixed(1)} frames/s at equal quality`, 6) + label;
}

/** From the slowest on: those for which nothing else is both faster and smaller. */
export function paretoFront<T extends { speed: number; rate: number }>(places: readonly T[]): T[] {
  return places
    .filter(
      (place) =>
        !places.some(
          (other) => other !== place && other.speed >= place.speed && other.rate <= place.rate && (other.speed > place.speed || other.rate < place.rate),
        ),
    )
    .sort((a, b) => a.speed - b.speed);
}
