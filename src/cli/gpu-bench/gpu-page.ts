import { style } from '../encoder-bench/report/style.js';
import { table } from '../encoder-bench/report/tables.js';
import { escapeHtml, fixed } from '../encoder-bench/report/text.js';
import type { GpuBenchDocument, GpuDecoder, GpuDevice, GpuEncoder } from './gpu-results.js';

/** On narrow screens plots are scrolled, like tables: their labels would be too small. */
const plotStyle = 'figure.single{overflow-x:auto}figure.single svg{min-width:32rem}';
/** Frames per second of a stream. */
const STREAM_RATE = 30;
const MAX_DIFFERENCE = 2;

/** The results of `bench gpu` as one self-contained HTML page. */
export function gpuPage({ finished, host, check }: GpuBenchDocument): string {
  const { devices, decoders, encoders } = check;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Graphics devices</title><style>${style}${plotStyle}</style></head><body>
<h1>Graphics devices</h1>
<p class="lead">${escapeHtml(host.processor)}, ${host.cores} cores · ${escapeHtml(host.graphics.join(', ') || 'no graphics device')} · ${escapeHtml(host.system)} · ${escapeHtml(finished.slice(0, 16).replace('T', ' '))} UTC</p>
${check.error === undefined ? '' : `<p class="bad">${escapeHtml(check.error)}</p>`}
${devices.map(deviceSection).join('')}
<h2>Decoding</h2>
${decoders.length === 0 ? '<p>No device of this host decodes.</p>' : decoderTable(decoders)}
<h2>Encoding</h2>
${table(
  ['encoder', 'opens', ''],
  encoders.map(({ name, opens, reason }) => [escapeHtml(name), yesOrNo(opens), escapeHtml(reason)]),
  false,
)}
${encoderStreams(encoders)}
<p class="note">Measured by <code>framewright bench gpu</code>, with the rights that a render has here. A stream is ${STREAM_RATE} frames per second.</p>
</body></html>
`;
}

function deviceSection({ name, type, memory, missing, opening, parity, deepParity, sharing, decodedFrames, speed, errors }: GpuDevice): string {
  const properties: Array<[string, string]> = [
    ['composes', missing === '' ? yesOrNo(true) : `${yesOrNo(false)} ${escapeHtml(missing)}`],
    ...(parity === undefined ? [] : [['like the CPU', parityText(parity)] as [string, string]]),
    ...(deepParity === undefined ? [] : [['like the CPU, 10 bits', deepParityText(deepParity)] as [string, string]]),
    ...(opening === undefined ? [] : [['opening', openingText(opening)] as [string, string]]),
    ...(sharing === undefined
      ? []
      : [
          ['shares frames with CUDA', reasonText(sharing.opaque)] as [string, string],
          ...(sharing.timeline === undefined ? [] : [['with semaphores', reasonText(sharing.timeline)] as [string, string]]),
          ['shares frames with VAAPI', reasonText(sharing.dmaBuf)] as [string, string],
        ]),
    ...(decodedFrames ?? []).map(({ decoder, reason }) => [`draws frames of ${escapeHtml(decoder)} where they are`, reasonText(reason)] as [string, string]),
  ];
  return `<h2>${escapeHtml(name)} <small>${escapeHtml(type)}, ${fixed(memory / 1e9, 0)} GB</small></h2>
<dl>${properties.map(([title, text]) => `<dt>${title}</dt><dd>${text}</dd>`).join('')}</dl>
${errors.map((error) => `<p class="bad">${escapeHtml(error)}</p>`).join('')}
${speed.length === 0 ? '' : `<h3>Composing</h3>${streamPlot(speed)}${speedTable(speed)}`}`;
}

function speedTable(speed: GpuDevice['speed']): string {
  const rows = speed.map(({ width, height, deviceSeconds, frameSeconds, cpuSeconds, joulesPerFrame, ...scene }) => [
    `${width} × ${height}, ${sceneText(scene)}`,
    fixed(deviceSeconds * 1000, 3),
    fixed(frameSeconds * 1000, 3),
    fixed(cpuSeconds * 1000, 2),
    `${fixed(cpuSeconds / frameSeconds, 1)} ×`,
    energyText(joulesPerFrame),
  ]);
  return table(['frame', 'ms on the device', 'ms with read-back', 'ms on one core of the CPU', 'faster', 'mJ a frame'], rows, false);
}

const sceneText = ({ layers, bits = 8 }: Pick<GpuDevice['speed'][number], 'layers' | 'bits'>): string =>
  `${layers} layer${layers === 1 ? '' : 's'}${bits === 8 ? '' : `, ${bits} bits`}`;

const LABEL_WIDTH = 190;
const BAR_WIDTH = 480;
const ROW_HEIGHT = 26;

/** Streams that the device composes at once, as bars beside one core of the CPU. */
function streamPlot(speed: GpuDevice['speed']): string {
  const streamsOf = (seconds: number): number => (seconds > 0 ? 1 / seconds / STREAM_RATE : 0);
  const bars = speed.map(({ height, frameSeconds, cpuSeconds, ...scene }) => ({
    label: `${height}p, ${sceneText(scene)}`,
    first: streamsOf(frameSeconds),
    second: streamsOf(cpuSeconds),
  }));
  return barPlot(bars, 'Streams at once, frames read back: the device, and in brackets one core of the CPU', 'composes');
}

/** Two bars a row; the second one's number is in brackets. */
function barPlot(bars: ReadonlyArray<{ label: string; first: number; second: number }>, caption: string, verb: string): string {
  const largest = Math.max(...bars.flatMap(({ first, second }) => [first, second]), 1);
  const width = (streams: number): number => Math.max(1, (streams / largest) * BAR_WIDTH);
  const rows = bars.map(({ label, first, second }, index) => {
    const y = index * ROW_HEIGHT;
    return `<text class="name" x="${LABEL_WIDTH - 10}" y="${y + 15}" text-anchor="end">${escapeHtml(label)}</text>
<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${width(first).toFixed(1)}" height="9" rx="2" fill="var(--c0)"/>
<rect x="${LABEL_WIDTH}" y="${y + 13}" width="${width(second).toFixed(1)}" height="6" rx="2" fill="var(--c3)"/>
<text class="label" x="${(LABEL_WIDTH + width(Math.max(first, second)) + 8).toFixed(1)}" y="${y + 15}">${fixed(first, first < 10 ? 1 : 0)} <tspan fill="var(--soft)">(${fixed(second, second < 10 ? 1 : 0)})</tspan></text>`;
  });
  const total = `${LABEL_WIDTH + BAR_WIDTH + 90} ${bars.length * ROW_HEIGHT + 6}`;
  return `<figure class="single"><figcaption>${caption}</figcaption><svg viewBox="0 0 ${total}" role="img" aria-label="Streams of ${STREAM_RATE} frames per second that the device ${verb} at once">${rows.join('')}</svg></figure>`;
}

/** What several encoders at once encode, and whole renders by them. */
function encoderStreams(encoders: readonly GpuEncoder[]): string {
  const measured = encoders.filter(({ streams }) => streams !== undefined && streams.length > 0);
  if (measured.length === 0) return '';
  const bars = measured.flatMap(({ name, streams = [], renders = [] }) =>
    streams.map(({ height, framesPerSecond }) => ({
      label: `${name}, ${height}p`,
      first: framesPerSecond / STREAM_RATE,
      second: (renders.find((render) => render.height === height)?.framesPerSecond ?? 0) / STREAM_RATE,
    })),
  );
  const encoding = measured.flatMap(({ name, streams = [] }) =>
    streams.map(({ height, count, framesPerSecond, streams: realTime, sessions, joulesPerFrame }) => [
      escapeHtml(`${name}, ${height}p`),
      `${count}`,
      fixed(framesPerSecond, 0),
      `${realTime}`,
      sessions > 0 ? `${sessions}` : '–',
      energyText(joulesPerFrame),
    ]),
  );
  const rendering = measured.flatMap(({ name, renders = [] }) =>
    renders.map(({ height, count, framesPerSecond, streams, joulesPerFrame, decoder, compositor, interop, copiesPerFrame }) => [
      escapeHtml(`${name}, ${height}p`),
      `${count}`,
      fixed(framesPerSecond, 0),
      `${streams}`,
      escapeHtml(`${decoder}, ${compositor}`),
      escapeHtml(interop === '' ? 'main memory' : copiesPerFrame === undefined ? interop : `${interop}, ${copiesPerFrame} copies`),
      energyText(joulesPerFrame),
    ]),
  );
  return `${barPlot(bars, 'Throughput in streams: encoders alone, and in brackets whole renders', 'encodes')}
<h3>Encoders at once</h3>
${table(['encoder', 'at once', 'frames per second', 'streams', 'session limit', 'mJ a frame'], encoding, false)}
<h3>Whole renders</h3>
<p>A clip of H.264 is decoded, scaled over a colour and encoded, by one process.</p>
${rendering.length === 0 ? '' : table(['encoder', 'segments at once', 'frames per second', 'streams', 'decoded, composed by', 'frames to the encoder', 'mJ a frame'], rendering, false)}`;
}

const energyText = (joulesPerFrame: number): string => (joulesPerFrame > 0 ? fixed(joulesPerFrame * 1000, 0) : '–');

function decoderTable(decoders: readonly GpuDecoder[]): string {
  const rows = decoders.flatMap(({ device, codec, exact, reason, framesPerSecond, softwareFramesPerSecond, streams }) => {
    const name = escapeHtml(`${codec}, ${device}`);
    if (!exact) return [[name, `${yesOrNo(false)} ${escapeHtml(reason)}`, '', '', '', '']];
    const first = [
      name,
      yesOrNo(true),
      framesPerSecond > 0 ? `1 decoder, 1080p: ${fixed(framesPerSecond, 0)}` : '',
      framesPerSecond > 0 ? fixed(framesPerSecond / STREAM_RATE, 0) : '',
    ];
    const many = streams.map(({ height, decoders: count, framesPerSecond: rate, joulesPerFrame }) => [
      '',
      '',
      `${count} decoder${count === 1 ? '' : 's'}, ${height}p: ${fixed(rate, 0)}`,
      fixed(rate / STREAM_RATE, 0),
      '',
      energyText(joulesPerFrame),
    ]);
    return [[...first, softwareFramesPerSecond > 0 ? fixed(softwareFramesPerSecond, 0) : '', ''], ...many];
  });
  return table(['format and device', 'like the CPU', 'frames per second, downloaded', 'streams', 'in software, 1080p', 'mJ a frame'], rows, false);
}

const yesOrNo = (isGood: boolean): string => (isGood ? '<span class="good">yes</span>' : '<span class="bad">no</span>');
const reasonText = (reason: string): string => (reason === '' ? yesOrNo(true) : `${yesOrNo(false)} ${escapeHtml(reason)}`);

function parityText({ cases, wrong, largestDifference, minSimilarity, firstFailure }: NonNullable<GpuDevice['parity']>): string {
  const found = `${cases} random frames, ${wrong} wrong, largest difference ${largestDifference} of 255 (allowed ${MAX_DIFFERENCE}), SSIM at least ${fixed(minSimilarity, 5)}`;
  return `${yesOrNo(wrong === 0)} ${found}${firstFailure === '' ? '' : `; ${escapeHtml(firstFailure)}`}`;
}

function deepParityText({ cases, wrong, hostFrames, largestDifference, chromaDifference, firstFailure }: NonNullable<GpuDevice['deepParity']>): string {
  const found = `${cases} random frames, ${wrong} wrong, ${hostFrames} drawn by the CPU, largest difference of luma ${largestDifference} of 1,023 (allowed ${MAX_DIFFERENCE}), of chroma ${fixed(chromaDifference, 2)} on average`;
  return `${yesOrNo(wrong === 0)} ${found}${firstFailure === '' ? '' : `; ${escapeHtml(firstFailure)}`}`;
}

function openingText({ instanceSeconds, deviceSeconds, firstFrameSeconds }: NonNullable<GpuDevice['opening']>): string {
  return `${fixed(instanceSeconds * 1000, 0)} ms for the drivers, ${fixed(deviceSeconds * 1000, 0)} ms for the device, ${fixed(firstFrameSeconds * 1000, 0)} ms for the first frame`;
}
