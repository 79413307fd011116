import type { Clip } from '../bench-program.js';
import type { Comparison, Metric, PointResult, Results } from '../results.js';
import { metrics } from '../results.js';
import { escapeHtml, fixed, megabytes, signed } from './text.js';

/** An HTML table; clicks on its header cells sort it if `sortable`. */
export function table(head: readonly string[], rows: readonly string[][], sortable = true): string {
  const cells = head.map((text) => `<th${sortable ? ' tabindex="0"' : ''}>${text}</th>`).join('');
  return `<div class="wide"><table${sortable ? ' class="sortable"' : ''}><thead><tr>${cells}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`;
}

const LITTLE_OVERLAP = 70;

function rateCell(comparison: Comparison, metric: Metric, anchor: string): string {
  if (comparison.configuration === anchor) return '<span class="anchor">anchor</span>';
  const delta = comparison.bdRates[metric];
  if (delta === undefined) return '–';
  const kind = delta.overlapPercent < LITTLE_OVERLAP ? 'little' : delta.percent < 0 ? 'good' : 'bad';
  return `<span class="${kind}">${signed(delta.percent, 1)} %</span> <small>${delta.overlapPercent.toFixed(0)} %</small>`;
}

/** BD-rates, speed, CPU time and memory of all configurations on one clip, or on all (`clip` undefined). */
export function comparisonTable({ comparisons, anchor }: Results, clip: string | undefined, shown: readonly Metric[], main: Metric): string {
  const rows = comparisons
    .filter((entry) => entry.clip === clip)
    .map((entry) => [
      escapeHtml(entry.configuration),
      ...shown.map((metric) => rateCell(entry, metric, anchor)),
      fixed(entry.speed[main], 1),
      fixed(entry.cpuSecondsPerFrame * 1000, 1),
      megabytes(entry.peakMemoryBytes),
    ]);
  const rates = shown.map((metric) => `BD-rate ${metrics[metric].title} <small>overlap</small>`);
  return table(['encoder', ...rates, `frames/s at equal ${metrics[main].title}`, 'CPU ms/frame', 'peak MB'], rows);
}

/** All measured points. */
export function pointTable(points: readonly PointResult[], hasVmaf: boolean): string {
  const searched = points.some((point) => point.step !== `crf ${point.crf}`);
  const rows = points.map((point) => [
    escapeHtml(point.clip),
    escapeHtml(point.configuration),
    escapeHtml(point.step),
    ...(searched ? [point.step === `crf ${point.crf}` ? '' : String(point.crf)] : []),
    fixed(point.kbps, 1) + (point.varies ? ' <abbr title="not the same size in every round">~</abbr>' : ''),
    fixed(point.quality.xpsnr, 2),
    fixed(point.quality.psnr, 2),
    fixed(point.psnr[0], 2),
    fixed(point.leastPsnr, 2),
    fixed(point.ssimAll, 5),
    ...(hasVmaf ? [fixed(point.quality.vmaf, 2)] : []),
    `${fixed(point.framesPerSecond.median, 1)} <small>${fixed(point.framesPerSecond.least, 1)}–${fixed(point.framesPerSecond.most, 1)}</small>`,
    fixed(point.cpuSecondsPerFrame.median * 1000, 1),
    megabytes(point.peakMemoryBytes.median),
  ]);
  const head = [
    'clip',
    'encoder',
    'step',
    ...(searched ? ['found crf'] : []),
    'kbit/s',
    'XPSNR',
    'PSNR 6:1:1',
    'PSNR Y',
    'worst frame',
    'SSIM',
    ...(hasVmaf ? ['VMAF'] : []),
    'frames/s <small>range</small>',
    'CPU ms/frame',
    'peak MB',
  ];
  return table(head, rows);
}

/** Encodings that failed, with the reasons. */
export function failureTable({ failures }: Results): string {
  if (failures.length === 0) return '<p>None.</p>';
  return table(
    ['clip', 'encoder', 'step', 'reason'],
    failures.map(({ clip, configuration, step, reason }) => [clip, configuration, step, reason].map(escapeHtml)),
    false,
  );
}

/** The input clips. */
export function clipTable(clips: ReadonlyArray<Clip & { sha256: string; source: string }>): string {
  const rows = clips.map(({ name, source, width, height, fpsNum, fpsDen, frames, sha256 }) => [
    escapeHtml(name),
    escapeHtml(source),
    `${width} × ${height}`,
    fixed(fpsNum / fpsDen, 3).replace(/\.?0+$/, ''),
    String(frames),
    `<code>${sha256}</code>`,
  ]);
  return table(['clip', 'from', 'pixels', 'frames/s', 'frames', 'SHA-256 of the frames'], rows, false);
}

/** A list of names and values. */
export function propertyList(properties: ReadonlyArray<readonly [string, string]>): string {
  return `<dl>${properties.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
}
