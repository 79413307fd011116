import type { Metric, PointResult } from '../results.js';
import { metrics } from '../results.js';
import { linearAxis, logAxis } from './axis.js';
import { colourOf, dashOf, frame, type Look, marker, plot } from './plot.js';
import { fixed } from './text.js';

/** Plots quality over the logarithm of the bit rate, one line per configuration; empty without points. */
export function ratePlot(points: readonly PointResult[], looks: readonly Look[], metric: Metric, clip: string): string {
  const shown = points.flatMap((point) => {
    const quality = point.quality[metric];
    return quality === null || point.kbps <= 0 ? [] : [{ point, quality }];
  });
  if (shown.length === 0) return '';
  const { title, unit } = metrics[metric];
  const x = logAxis(
    shown.map(({ point }) => point.kbps),
    frame.left,
    frame.width - frame.right,
  );
  const y = linearAxis(
    shown.map(({ quality }) => quality),
    frame.height - frame.bottom,
    frame.top,
  );
  const lines = looks.map((look) => {
    const own = shown.filter(({ point }) => point.configuration === look.name).sort((a, b) => a.point.kbps - b.point.kbps);
    const path = own.map(({ point, quality }, i) => `${i === 0 ? 'M' : 'L'}${x.place(point.kbps).toFixed(1)} ${y.place(quality).toFixed(1)}`).join('');
    const marks = own.map(({ point, quality }) => {
      const words = `${look.name}, ${point.step}\n${point.kbps.toFixed(0)} kbit/s, ${title} ${fixed(quality, 2)} ${unit}\n${fixed(point.framesPerSecond.median, 1)} frames/s`;
      return marker(look, x.place(point.kbps), y.place(quality), words);
    });
    return `<g class="series"><path d="${path}" fill="none" stroke="${colourOf(look)}" stroke-width="2"${dashOf(look)}/>${marks.join('')}</g>`;
  });
  return plot(`${title} over rate, ${clip}`, x, y, { x: 'rate, kbit/s (logarithmic)', y: `${title}${unit === '' ? '' : `, ${unit}`}` }, lines.join('\n'));
}
