import { type Metric, metrics } from '../results.js';
import type { ResultsDocument } from '../results-document.js';
import { legend, looksOf } from './plot.js';
import { ratePlot } from './rate-plot.js';
import { speedPlot } from './speed-plot.js';
import { sorting, style } from './style.js';
import { clipTable, comparisonTable, failureTable, pointTable, propertyList } from './tables.js';
import { escapeHtml } from './text.js';

/** The report as one self-contained HTML page. */
export function reportPage(document: ResultsDocument): string {
  const { results, clips, metric } = document;
  const shown = (Object.keys(metrics) as Metric[]).filter((name) => results.points.some((point) => point.quality[name] !== null));
  const looks = looksOf([...new Set(results.points.map(({ configuration }) => configuration))]);
  const main = shown.includes(metric) ? metric : (shown[0] ?? metric);
  const perClip = clips.length > 1 ? clips.map(({ name }) => `<h3>${escapeHtml(name)}</h3>${comparisonTable(results, name, shown, main)}`).join('') : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Encoders compared</title><style>${style}${tabRules(shown)}</style></head><body>
<h1>Encoders compared</h1>
<p class="lead">${looks.length} configurations on ${clips.length} clip${clips.length === 1 ? '' : 's'}, ${document.rounds} round${document.rounds === 1 ? '' : 's'}, ${escapeHtml(document.finished.slice(0, 16).replace('T', ' '))} UTC · ${escapeHtml(document.host.processor)}, ${document.host.cores} cores</p>
${comparisonTable(results, undefined, shown, main)}
<p class="note">BD-rate: more (+) or less (−) data than <b>${escapeHtml(results.anchor)}</b> at the same quality, averaged over the clips; beside it the share of the quality range that both curves cover.
In italics below 70 %: such values are unreliable, and a wider ladder helps. Speed is measured at the median quality of the anchor's ladder.
A dash: fewer than four points, or no common quality. Click a column header to sort.</p>
<h2>Rate and quality</h2>
${legend(looks)}
${tabs(
  'rate',
  shown,
  main,
  (name) =>
    `<div class="plots">${clips
      .map((clip) =>
        figure(
          clip.name,
          ratePlot(
            results.points.filter((point) => point.clip === clip.name),
            looks,
            name,
            clip.name,
          ),
          clips.length,
        ),
      )
      .join('')}</div>`,
)}
<h2>Speed and quality</h2>
<p class="note">The best configurations are at the bottom right. The dashed line joins those that no other beats in both.</p>
${tabs('speed', shown, main, (name) =>
  figure(
    'All clips',
    speedPlot(
      results.comparisons.filter(({ clip }) => clip === undefined),
      looks,
      name,
    ),
    1,
  ),
)}
${perClip === '' ? '' : `<h2>Results by clip</h2>${perClip}`}
<h2>All measurements</h2>
${pointTable(results.points, shown.includes('vmaf'))}
<h2>Failures</h2>${failureTable(results)}
<h2>Method</h2>
${method(document)}
${clipTable(clips)}
<h3>Settings of each encoder</h3>${propertyList(Object.entries(document.settings))}
<h3>Host</h3>${propertyList(hostRows(document))}
<h3>Versions</h3>${propertyList([['framewright', document.software.commit ?? 'unknown commit'], ...Object.entries(document.software.libraries), ...Object.entries(document.software.programs)])}
<h3>Unavailable encoders</h3>${propertyList(document.unavailable.map(({ name, reason }) => [name, reason] as const))}
<h3>Command</h3><pre>${escapeHtml(document.command)}</pre>
<script>${sorting}</script>
</body></html>
`;
}

function figure(caption: string, svg: string, of: number): string {
  const body = svg === '' ? '<p class="note">No plot: fewer than four points, or no common quality.</p>' : svg;
  return `<figure${of === 1 ? ' class="single"' : ''}><figcaption>${escapeHtml(caption)}</figcaption>${body}</figure>`;
}

function tabs(id: string, shown: readonly Metric[], main: Metric, content: (metric: Metric) => string): string {
  const buttons = shown.map(
    (name) => `<input type="radio" name="${id}" id="${id}-${name}"${name === main ? ' checked' : ''}><label for="${id}-${name}">${metrics[name].title}</label>`,
  );
  return `<div class="tabs">${buttons.join('')}${shown.map((name) => `<section class="${name}">${content(name)}</section>`).join('')}</div>`;
}

function tabRules(shown: readonly Metric[]): string {
  return shown.map((name) => `.tabs:has(>input[id$="-${name}"]:checked)>section.${name}{display:block}`).join('');
}

function method({ rounds, seed, vmafModel }: ResultsDocument): string {
  return `<p>Every encoding is a separate process that uses the same code as a render: 4:2:0 with 8 bits, BT.709, constant quality, closed GOPs with a key frame every 5 s.
Every frame is encoded; with libx264, renders encode still spans at less cost. ${rounds} round${rounds === 1 ? '' : 's'} of all encodings, each in a different order (seed ${seed});
times and memory are medians. Frames per second are measured from opening the encoder to its last packet; CPU time excludes reading the source; memory is the peak of the process, including some 40 MB
of libraries and queued frames. kbit/s count the encoder's packets, without a container.</p>
<p>PSNR and XPSNR weight Y, U and V 6:1:1; PSNR averages squared errors over the clip. SSIM is computed like ffmpeg's filter (8 × 8 windows) and plotted as −10 log<sub>10</sub>(1 − SSIM). XPSNR is after Helmrich et al., ITU Journal 3(1), 2020.
${vmafModel === undefined ? 'VMAF was not measured: the program <code>vmaf</code> is not on PATH.' : `VMAF: model ${escapeHtml(vmafModel)}, arithmetic mean.`}
BD-rate interpolates the logarithm of the rate over quality by PCHIP.</p>`;
}

function hostRows({ host }: ResultsDocument): Array<readonly [string, string]> {
  return [
    ['processor', `${host.processor}, ${host.cores} cores`],
    ['clock governor', host.governor ?? 'unknown'],
    ['memory', `${(host.memoryBytes / 1e9).toFixed(1)} GB`],
    ['system', host.system],
    ['graphics', host.graphics.join('; ') || 'none'],
    ['load before', `${host.load.toFixed(1)} processes`],
  ];
}
