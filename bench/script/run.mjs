import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import benny from 'benny';
import { parseMovie, resolveDurations } from '../../dist/script/index.js';
import { compileTimeline } from '../../dist/timeline/index.js';

/**
 * `npm run bench -- script`: operations per second of validating and expanding a script and of compiling its timeline, for the largest
 * example, for a long script and for one with expressions. JSON.parse of the same text is the unit: ratios can be compared between machines.
 */

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const examples = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'examples');
const largest = readdirSync(examples)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, text: readFileSync(join(examples, name), 'utf8') }))
  .sort((a, b) => b.text.length - a.text.length)[0];

const text = (value, extra = {}) => ({ type: 'text', text: value, x: 100, y: 100, width: 800, height: 200, font_size: 60, ...extra });
const longScript = {
  scenes: Array.from({ length: 200 }, (_, k) => ({
    duration: 3,
    background: '#16324f',
    ...(k === 0 ? {} : { transition: { style: 'fade', duration: 0.5 } }),
    elements: [text(`Scene ${k}`, { fade_in: 0.5 }), { type: 'image', src: `https://example.com/${k}.jpg`, zoom: 2, opacity: 0.8 }],
  })),
};
const computedScript = {
  variables: { rooms: Array.from({ length: 200 }, (_, k) => ({ name: `Room ${k}`, seconds: 2 + (k % 3) })) },
  scenes: [{ iterate: 'rooms', duration: '{{item.seconds}}', elements: [text('{{upper(item.name)}} of {{length(rooms)}}')] }],
};
const scripts = { [largest.name]: largest.text, 'long (200 scenes)': JSON.stringify(longScript), 'computed (200 scenes)': JSON.stringify(computedScript) };

/** As if every file were a photo of 1600 × 900. */
const photo = { path: '/photo.jpg', width: 1600, height: 900, durationSeconds: 10, hasAudio: true };
const everyUrl = { checkUrl: () => undefined };

function planOf(script) {
  const movie = parseMovie(script, everyUrl);
  const elements = [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
  const media = new Map(elements.filter(({ src }) => src !== undefined).map((element) => [element.path, photo]));
  const masks = new Map(elements.filter(({ mask }) => mask !== undefined).map((element) => [element.path, photo]));
  return { movie, durations: resolveDurations(movie, () => photo.durationSeconds), media, masks, pieces: new Map() };
}

const rows = [];
for (const [name, json] of Object.entries(scripts)) {
  const plan = planOf(JSON.parse(json));
  const summary = await benny.suite(
    name,
    benny.add('JSON.parse', () => JSON.parse(json)),
    benny.add('parse, validate and expand', () => parseMovie(JSON.parse(json), everyUrl)),
    benny.add('compile the timeline', () => compileTimeline(plan)),
  );
  const [unit] = summary.results;
  for (const { name: step, ops } of summary.results) rows.push({ script: name, step, operationsPerSecond: ops, timesOfJsonParse: unit.ops / ops });
}
for (const { script, step, operationsPerSecond, timesOfJsonParse } of rows) {
  console.log(
    `${script.padEnd(24)} ${step.padEnd(28)} ${operationsPerSecond.toFixed(0).padStart(8)} a second  ${timesOfJsonParse.toFixed(1).padStart(7)} × JSON.parse`,
  );
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
