import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadBundle } from '../../dist/config/precompiled/index.js';
import { measure, median, run } from '../movies/measure.mjs';

/**
 * Measures the start of the program: the time until one frame of a photo with a logo and a title is written, interleaved with an empty Node script. The
 * frame cache is warm except with `--no-cache`. Where NODE_EXTRA_CA_CERTS is set, which Node reads at every start, a further row is measured without it.
 */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, json: { type: 'boolean', default: false } } });
const rounds = Number(values.rounds);

const media = join(root, 'build', 'bench', 'start');
const images = { 'photo.jpg': 'mandelbrot=s=2560x1440', 'logo.png': 'testsrc2=s=200x200' };
mkdirSync(media, { recursive: true });
for (const [name, source] of Object.entries(images)) {
  if (!existsSync(join(media, name))) run(['ffmpeg', '-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-q:v', '2', join(media, name)]);
}
const title = { type: 'text', text: 'A calm evening by the lake', font: 'Inter', font_weight: 700, font_size: 96, x: 200, y: 400, width: 1500, height: 200 };
const elements = [{ type: 'image', src: 'photo.jpg', resize: 'cover' }, { type: 'image', src: 'logo.png', x: 1680, y: 40 }, title];
const movie = join(media, 'movie.json');
writeFileSync(movie, JSON.stringify({ width: 1920, height: 1080, fps: 30, scenes: [{ duration: 5, elements }] }));

const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
const command = join(root, 'dist', 'cli', 'main.js');
const unbundled = `const { runCli } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist', 'cli', 'run-cli.js')).href)}); process.exitCode = await runCli(process.argv.slice(1));`;
const frame = ['frame', movie, '--at', '1', '-o', join(folder, 'frame.png')];
const contenders = {
  'node -e 0': [process.execPath, '-e', '0'],
  frame: [process.execPath, command, ...frame],
  'frame --no-cache': [process.execPath, command, ...frame, '--no-cache'],
  'frame, without the bundle': [process.execPath, '--input-type=module', '-e', unbundled, '--', ...frame],
  validate: [process.execPath, command, 'validate', movie],
  'render, 5 s without motion': [process.execPath, command, 'render', movie, '-o', join(folder, 'movie.mp4'), '--no-cache'],
};
if (process.env.NODE_EXTRA_CA_CERTS !== undefined) {
  const bare = ['env', '-u', 'NODE_EXTRA_CA_CERTS', process.execPath];
  contenders['node -e 0, no certificates'] = [...bare, '-e', '0'];
  contenders['frame, no certificates'] = [...bare, command, ...frame];
}
if (loadBundle('cli') === undefined) console.error('There is no bundle (npm run build): the modules are loaded one by one.');

const costs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
try {
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(contenders)) costs[name].push(measure(args));
  }
} finally {
  rmSync(folder, { recursive: true });
}
const rows = Object.entries(costs).map(([name, all]) => {
  const bare = costs['node -e 0'];
  const ratio = (key) => median(all.map((cost, round) => cost[key] / bare[round][key]));
  const milliseconds = (key) => 1000 * median(all.map((cost) => cost[key]));
  return {
    name,
    wallMs: milliseconds('wallSeconds'),
    wallRatio: ratio('wallSeconds'),
    cpuMs: milliseconds('cpuSeconds'),
    cpuRatio: ratio('cpuSeconds'),
    shortestMs: 1000 * Math.min(...all.map(({ wallSeconds }) => wallSeconds)),
  };
});
if (values.json) {
  console.log(JSON.stringify({ rounds, rows }));
} else {
  console.log(`${'median of'.padStart(30)} ${rounds} rounds    wall ms (min)   × node    CPU ms   × node`);
  for (const { name, wallMs, shortestMs, wallRatio, cpuMs, cpuRatio } of rows) {
    const [wall, min, cpu] = [wallMs, shortestMs, cpuMs].map((number) => number.toFixed(0));
    console.log(
      `${name.padStart(30)} ${`${wall} (${min})`.padStart(24)} ${wallRatio.toFixed(2).padStart(10)} ${cpu.padStart(9)} ${cpuRatio.toFixed(2).padStart(8)}`,
    );
  }
}
