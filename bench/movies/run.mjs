import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { saveChart } from './chart.mjs';
import { isInstalled, median } from './measure.mjs';
import { makeMedia } from './media.mjs';
import { canvas, checkFile, encoderOptions, movies, templateScript } from './movies.mjs';
import { findEditly } from './peers/editly.mjs';
import { ffmpeg } from './peers/ffmpeg.mjs';
import { decodeAlone, finishedFrames, floor } from './peers/floor.mjs';
import { framewright, framewrightWithoutCopying, renderScript } from './peers/framewright.mjs';
import { melt } from './peers/melt.mjs';
import { findRemotion } from './peers/remotion.mjs';
import { qualityOf } from './quality.mjs';

/** Whole movies: Framewright, other programs and the floor, in turn, with the same encoder settings. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: 'slideshow,overlay,cards,films,template' },
    encode: { type: 'string', default: 'veryfast:23' },
    rounds: { type: 'string' },
    renders: { type: 'string' },
    out: { type: 'string', default: join(root, 'build', 'bench', 'movies') },
  },
});
const quick = values.quick;
const rounds = Number(values.rounds ?? (quick ? 1 : 3));
const renders = Number(values.renders ?? (quick ? 3 : 20));
const out = resolve(values.out);
const wanted = values.only.split(',');
const say = (line) => (values.json ? console.error : console.log)(line);
const encodes = values.encode.split(',').map((one) => ({ preset: one.split(':')[0], crf: Number(one.split(':')[1]), keyframeSeconds: 5 }));

mkdirSync(out, { recursive: true });
// Frames are read from memory, as a renderer in the same process would have them.
const folder = mkdtempSync('/dev/shm/framewright-bench-');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

// Scripts name files beside them.
const places = { mediaFolder: join(out, 'media'), folder };
const peers = [floor, framewright, framewrightWithoutCopying, ffmpeg];
const packages = join(root, 'build', 'bench', 'peers');
const editly = findEditly(packages);
const remotion = findRemotion(packages);
if (isInstalled('melt')) peers.push(melt);
else say('NOT MEASURED: melt is not installed here.');
if (editly !== undefined) peers.push(editly);
else say('NOT MEASURED: editly is not installed in build/bench/peers (bench/movies/README.md), or there is no Xvfb.');
if (remotion !== undefined) peers.push(remotion);
else say('NOT MEASURED: remotion is not installed in build/bench/peers (bench/movies/README.md), or there is no Chromium.');

const seconds = (value) => `${value.toFixed(2)} s`.padStart(9);

function rowOf(name, runs, floorRuns, path, finished) {
  const of = (key) => median(runs.map((one) => one[key]));
  const ratio = (key) => median(runs.map((one, k) => one[key] / floorRuns[k][key]));
  return {
    name,
    runs: runs.length,
    wallSeconds: of('wallSeconds'),
    cpuSeconds: of('cpuSeconds'),
    peakMebibytes: Math.max(...runs.map((one) => one.peakBytes)) / 2 ** 20,
    bytes: statSync(path).size,
    wallOverFloor: ratio('wallSeconds'),
    cpuOverFloor: ratio('cpuSeconds'),
    // Others draw text and scale photos in their own way: their frames are not these frames.
    ...(finished === undefined ? {} : qualityOf(path, finished.frames)),
  };
}

function table(rows) {
  const floorBytes = rows[0].bytes;
  say(
    `  ${'program'.padEnd(13)}${'wall'.padStart(9)}${'CPU'.padStart(9)}${'memory'.padStart(9)}${'size'.padStart(11)}  wall/floor  CPU/floor  size/floor   PSNR     SSIM`,
  );
  for (const row of rows) {
    const quality = row.psnrDb === undefined ? '' : `${row.psnrDb.toFixed(2)} dB  ${row.ssim.toFixed(5)}`;
    say(
      `  ${row.name.padEnd(13)}${seconds(row.wallSeconds)}${seconds(row.cpuSeconds)}${`${row.peakMebibytes.toFixed(0)} MiB`.padStart(9)}${`${(row.bytes / 1e6).toFixed(2)} MB`.padStart(11)}` +
        `${row.wallOverFloor.toFixed(3).padStart(12)}${row.cpuOverFloor.toFixed(3).padStart(11)}${(row.bytes / floorBytes).toFixed(3).padStart(12)}   ${quality}`,
    );
  }
}

/** Adds the decoding of a clip, which the floor leaves out. */
function compareWithDecoding(row, [floorRuns, ownRuns], decodes) {
  const ratio = (key) => median(ownRuns.map((own, k) => own[key] / (floorRuns[k][key] + decodes[k][key])));
  row.wallOverFloorAndDecode = ratio('wallSeconds');
  row.cpuOverFloorAndDecode = ratio('cpuSeconds');
  say(`  over the floor and decoding alone: wall ${row.wallOverFloorAndDecode.toFixed(3)}, CPU ${row.cpuOverFloorAndDecode.toFixed(3)}`);
}

function compare(movie, settings, media, finished) {
  say(`\n${movie.name}, ${settings.preset} crf ${settings.crf}: ${movie.about}; ${movie.seconds} s of ${canvas.width}x${canvas.height} at ${canvas.fps}`);
  const programs = peers.filter((peer) => peer.draws(movie));
  const paths = programs.map((peer) => join(folder, `${peer.name}.mp4`));
  const runs = programs.map(() => []);
  const decodes = [];
  for (let round = 0; round < rounds; ++round) {
    if (movie.clip !== undefined) decodes.push(decodeAlone(movie));
    programs.forEach((peer, k) => {
      runs[k].push(peer.render(movie, { media, settings, places, finished, output: paths[k] }));
      checkFile(paths[k], movie);
    });
  }
  const options = paths.map((path) => encoderOptions(path));
  paths.forEach((path, k) => {
    const { looksAhead } = programs[k];
    // What is copied keeps the settings of its own encoder.
    if (movie.isCopied && programs[k] === framewright) return;
    const one = encoderOptions(path, { looksAhead });
    if (one !== encoderOptions(paths[0], { looksAhead }))
      say(`  DIFFERENT SETTINGS: ${programs[k].name} encoded with ${one ?? 'settings it does not tell'}, the floor with ${options[0]}`);
  });
  const rows = programs.map((peer, k) => rowOf(peer.name, runs[k], runs[0], paths[k], peer === floor || peer.looksAhead ? finished : undefined));
  table(rows);
  if (decodes.length > 0) compareWithDecoding(rows[1], runs, decodes);
  for (const path of paths) rmSync(path);
  return { name: movie.name, settings, seconds: movie.seconds, encoderOptions: options[0], programs: rows };
}

/** The same script again and again, with one text changed; what earlier renders left behind may be used. */
function compareTemplate(settings, media) {
  const script = templateScript(media, quick, 'Ada');
  const movie = { name: 'template', seconds: script.scenes.reduce((sum, { duration }) => sum + duration, 0) };
  movie.frames = movie.seconds * canvas.fps;
  say(
    `\ntemplate, ${settings.preset} crf ${settings.crf}: ${renders} renders of a script of ${script.scenes.length} scenes and ${movie.seconds} s in which one text changes`,
  );
  const finished = finishedFrames(script, places);
  const path = join(folder, 'framewright.mp4');
  const floorPath = join(folder, 'floor.mp4');
  const firstPath = join(folder, 'first.mp4');
  const data = mkdtempSync(join(folder, 'data-'));
  const floorRun = () => floor.render(movie, { settings, finished, output: floorPath });
  const floorRuns = [floorRun()];
  const runs = [];
  for (let k = 0; k < renders; ++k) {
    runs.push(renderScript(templateScript(media, quick, k === 0 ? 'Ada' : `Ada ${k}`), settings, places, k === 0 ? firstPath : path, data));
    checkFile(k === 0 ? firstPath : path, movie);
    if (k === 0) floorRuns.push(floorRun());
  }
  const first = runs[0];
  const rows = [
    rowOf('floor', floorRuns, floorRuns, floorPath, finished),
    { ...rowOf('framewright', [first], [floorRuns[1]], firstPath, finished), name: 'first render' },
  ];
  const later = runs.slice(1);
  const last = {
    ...rowOf(
      'framewright',
      later,
      later.map(() => floorRuns[1]),
      path,
    ),
    name: 'later renders',
  };
  rows.push(last);
  table(rows);
  const laterOverFirst = median(later.map(({ wallSeconds }) => wallSeconds / first.wallSeconds));
  const worst = Math.max(...later.map(({ wallSeconds }) => wallSeconds / first.wallSeconds));
  say(`  a later render takes ${laterOverFirst.toFixed(3)} of the first one's time (median; at most ${worst.toFixed(3)})`);
  rmSync(data, { recursive: true });
  return { name: 'template', settings, seconds: movie.seconds, renders, laterOverFirst, worstLaterOverFirst: worst, programs: rows };
}

const media = makeMedia(places.mediaFolder, { quick });
const machine = {
  cpu: cpus()[0].model,
  cores: cpus().length,
  kernel: release(),
  node: process.version,
  ffmpeg: execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split('\n')[0],
  load: readFileSync('/proc/loadavg', 'utf8').trim(),
};
const result = { when: new Date().toISOString(), quick, rounds, machine, movies: [] };
say(
  `${machine.cpu}, ${machine.cores} cores, load before ${machine.load.split(' ')[0]}; ${machine.ffmpeg.split(' Copyright')[0]}; medians of ${rounds} interleaved rounds`,
);
for (const movie of movies(media, quick)) {
  if (!wanted.includes(movie.name)) continue;
  const finished = finishedFrames(movie.script, places);
  for (const settings of encodes) result.movies.push(compare(movie, settings, media, finished));
}
if (wanted.includes('template')) for (const settings of encodes) result.movies.push(compareTemplate(settings, media));
const base = join(out, quick ? 'movies-quick' : 'movies');
writeFileSync(`${base}.json`, `${JSON.stringify(result, null, 2)}\n`);
await saveChart(result, base);
say(`\nSaved ${base}.json, .svg and .png`);
if (values.json) console.log(JSON.stringify(result));
