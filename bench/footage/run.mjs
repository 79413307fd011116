// BD-rate of the engine's encodings of real clips against a plain encoder of the same or another preset: npm run bench -- footage --clips FOLDER
// Same frames (lossless), same threads, a key frame at least every 5 s. FOLDER is what collect.mjs wrote; plain encodings are cached in it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bdRate } from '../../dist/cli/encoder-bench/bd-rate.js';
import { chartOf } from './chart.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const program = join(root, 'build', 'Release', 'framewright-encoder-bench');
const { values } = parseArgs({
  options: {
    clips: { type: 'string', default: join(root, 'build', 'bench', 'footage') },
    only: { type: 'string' },
    half: { type: 'string' },
    plans: { type: 'string', default: 'footage' },
    encoder: { type: 'string', default: 'libx264' },
    preset: { type: 'string', default: 'veryfast' },
    anchor: { type: 'string' },
    crf: { type: 'string', default: '19,23,27,31' },
    frames: { type: 'string', default: '0' },
    json: { type: 'string' },
  },
});
const folder = resolve(values.clips);
if (!existsSync(join(folder, 'clips.json'))) throw new Error(`${folder} has no clips. Run "node bench/footage/collect.mjs --out ${folder}".`);
const chosen = values.only?.split(',');
const clips = JSON.parse(readFileSync(join(folder, 'clips.json'), 'utf8')).filter(
  ({ id, half }) => (chosen === undefined || chosen.includes(id)) && (values.half === undefined || half === values.half),
);
const crfs = values.crf.split(',').map(Number);
const anchor = values.anchor ?? values.preset;
const metrics = ['ssim', 'psnr', 'xpsnr'];
const cache = join(folder, 'encodings');
mkdirSync(cache, { recursive: true });

function call(command, options) {
  const { status, stdout, stderr } = spawnSync(program, [command, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${JSON.stringify(options)}: ${stdout}${stderr.slice(-500)}`);
  return JSON.parse(stdout);
}

/** Size, CPU time and quality of one encoding. `plan` is "encoder" for the plain encoder. */
function encode(clip, plan, crf, preset = values.preset) {
  const source = join(folder, `${clip.id}.y4m`);
  const out = join(cache, 'current.packets');
  const frames = values.frames;
  const { bytes, cpuSeconds } = call('encode', { source, out, encoder: values.encoder, preset, crf, threads: 3, frames, plan });
  const quality = call('measure', { source, encoded: out, frames });
  return { crf, bytes, cpuSeconds, ssim: -10 * Math.log10(1 - quality.ssim[0]), psnr: quality.psnr[0], xpsnr: quality.xpsnr[0] };
}

function plainOf(clip, crf) {
  const path = join(cache, `${clip.id}-${values.encoder}-${anchor}-${crf}-${values.frames}-${clip.sha256.slice(0, 12)}.json`);
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(encode(clip, 'encoder', crf, anchor)));
  return JSON.parse(readFileSync(path, 'utf8'));
}

const sumOf = (points, name) => points.reduce((sum, point) => sum + point[name], 0);

function compare(clip, plan) {
  const plain = crfs.map((crf) => plainOf(clip, crf));
  const ours = crfs.map((crf) => encode(clip, plan, crf));
  const curve = (points, metric) => points.map((point) => ({ rate: point.bytes, quality: point[metric] }));
  const percent = Object.fromEntries(metrics.map((metric) => [metric, bdRate(curve(plain, metric), curve(ours, metric))?.percent]));
  const size = (sumOf(ours, 'bytes') / sumOf(plain, 'bytes') - 1) * 100;
  return { clip: clip.id, kind: clip.kind, half: clip.half, plan, ...percent, size, cpu: sumOf(ours, 'cpuSeconds') / sumOf(plain, 'cpuSeconds') };
}

const shown = (value, digits = 1) => (value === undefined ? 'none' : `${value > 0 ? '+' : ''}${value.toFixed(digits)}`);
const rowOf = (head, one) => `| ${[...head, ...metrics.map((metric) => shown(one[metric])), shown(one.size), one.cpu.toFixed(2)].join(' | ')} |`;

function summary(rows, plan, half) {
  const own = rows.filter((row) => row.plan === plan && row.half === half);
  if (own.length === 0) return [];
  const pick = (name, combine) => combine(own.map((row) => row[name]).filter((value) => value !== undefined));
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const worst = (list) => Math.max(...list);
  return [
    ['mean', mean],
    ['worst', worst],
  ].map(([word, combine]) =>
    rowOf([`**${half}: ${word}**`, '', plan], Object.fromEntries([...metrics, 'size', 'cpu'].map((name) => [name, pick(name, combine)]))),
  );
}

const rows = [];
for (const plan of values.plans.split(','))
  for (const clip of clips) {
    rows.push(compare(clip, plan));
    console.error(rowOf([clip.id, clip.kind, plan], rows.at(-1)));
  }
const head = [
  '| clip | kind | plan | BD-rate SSIM % | PSNR % | XPSNR % | size at equal crf % | CPU time, anchor = 1 |',
  '| --- | --- | --- | --: | --: | --: | --: | --: |',
];
const lines = [...head, ...rows.map((row) => rowOf([row.clip, row.kind, row.plan], row))];
for (const plan of values.plans.split(',')) for (const half of ['tuning', 'held-out']) lines.push(...summary(rows, plan, half));
console.log(lines.join('\n'));
writeFileSync(join(cache, 'footage.svg'), chartOf(rows));
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ encoder: values.encoder, preset: values.preset, anchor, crfs, rows }, undefined, 1)}\n`);
