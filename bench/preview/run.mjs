import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure, median, run } from '../movies/measure.mjs';

/** Latency of previews after a text was edited and while scrubbing, compared with `framewright frame`, which starts a new process each time. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    scrub: { type: 'string', default: '100' },
    width: { type: 'string', default: '640' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const width = Number(values.width);

const media = join(root, 'build', 'bench', 'preview');
mkdirSync(media, { recursive: true });
const still = ['-f', 'lavfi', '-i', 'mandelbrot=s=2560x1440', '-frames:v', '1', '-q:v', '2'];
const clip = ['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=30:d=10', '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'];
for (const [name, args] of Object.entries({ 'photo.jpg': still, 'clip.mp4': clip })) {
  if (!existsSync(join(media, name))) run(['ffmpeg', '-v', 'error', '-y', ...args, join(media, name)]);
}
const server = createServer((request, response) => response.end(readFileSync(join(media, request.url.slice(1)))));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const place = `http://127.0.0.1:${server.address().port}`;

const movieOf = (words, source, base = place) => ({
  ...{ width: 1920, height: 1080, fps: 30 },
  scenes: [
    {
      duration: 10,
      elements: [
        { type: source.endsWith('.mp4') ? 'video' : 'image', src: `${base}/${source}`, resize: 'cover', zoom: source.endsWith('.mp4') ? 0 : 2, duration: 10 },
        { type: 'text', text: words, style: '003', font: 'Inter', font_weight: 700, font_size: 96, x: 200, y: 400, width: 1500, height: 200 },
      ],
    },
  ],
});

const dataDir = mkdtempSync(join(tmpdir(), 'bench-preview-'));
const environment = {
  ...process.env,
  HOST: '127.0.0.1',
  PORT: '0',
  FRAMEWRIGHT_DATA_DIR: dataDir,
  FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  FRAMEWRIGHT_WORKERS: '0',
};
const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
const [address] = await once(child.stdout, 'data');
const url = /http:\S+/.exec(String(address))[0];
const created = spawnKey();

/** Of the service and all that it has started, with what has ended. */
function cpuSeconds() {
  const stats = new Map();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      stats.set(Number(name), { parent: Number(fields[1]), ticks: [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const belongs = (pid) => pid === child.pid || (stats.has(pid) && belongs(stats.get(pid).parent));
  return [...stats].filter(([pid]) => belongs(pid)).reduce((sum, [, { ticks }]) => sum + ticks / 100, 0);
}

function spawnKey() {
  const args = [
    'keys',
    'create',
    '--account',
    'bench',
    '--plan',
    'enterprise',
    '--mode',
    'test',
    '--credits',
    '1',
    '--requests-per-minute',
    '1000000',
    '--json',
  ];
  return new Promise((resolve, reject) => {
    const keys = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...args], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    keys.stdout.on('data', (part) => (text += part));
    keys.on('exit', (code) => (code === 0 ? resolve(JSON.parse(text).key) : reject(new Error(`keys create ended with ${code}`))));
  });
}

const key = await created;

async function ask(path, body) {
  const began = performance.now();
  const answer = await fetch(url + path, { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${answer.status} ${bytes}`);
  return { ms: performance.now() - began, bytes };
}

/** Wall and processor time of one of so many. */
async function timed(count, work) {
  const [began, cpu] = [performance.now(), cpuSeconds()];
  const each = [];
  for (let index = 0; index < count; index++) each.push((await work(index)).ms);
  return {
    wallMs: median(each),
    shortestMs: Math.min(...each),
    perSecond: (1000 * count) / (performance.now() - began),
    cpuMs: ((cpuSeconds() - cpu) / count) * 1000,
  };
}

const rows = {};
const text = (index) => `A calm evening ${index}`;
try {
  rows['first preview of all'] = await timed(1, () => ask('/api/preview/frame', { movie: movieOf(text('first'), 'photo.jpg'), time: 3, width }));
  rows['a text was edited'] = await timed(rounds, (index) => ask('/api/preview/frame', { movie: movieOf(text(index), 'photo.jpg'), time: 3, width }));
  rows['another time, one by one'] = await timed(rounds, (index) =>
    ask('/api/preview/frame', { movie: movieOf('Still', 'photo.jpg'), time: index * 0.37, width }),
  );
  const scrub = async (name, source) => {
    const movie = movieOf('Still', source);
    await ask('/api/preview/frames', { movie, times: [0], width });
    const count = Number(values.scrub);
    const [began, cpu] = [performance.now(), cpuSeconds()];
    await ask('/api/preview/frames', { movie, from: 0, to: (count - 1) / 15, step: 1 / 15, width });
    const wall = performance.now() - began;
    rows[name] = { wallMs: wall / count, perSecond: (1000 * count) / wall, cpuMs: ((cpuSeconds() - cpu) / count) * 1000 };
  };
  await scrub('scrubbing over photo and text', 'photo.jpg');
  await scrub('scrubbing over film and text', 'clip.mp4');
  rows['film, to and fro'] = await timed(rounds, (index) =>
    ask('/api/preview/frame', { movie: movieOf('Still', 'clip.mp4'), time: (index * 7.3) % 10, width }),
  );
  const file = join(media, 'movie.json');
  writeFileSync(file, JSON.stringify(movieOf('Still', 'photo.jpg', '.')));
  const alone = Array.from({ length: 5 }, () =>
    measure([process.execPath, join(root, 'dist', 'cli', 'main.js'), 'frame', file, '--at', '3', '-o', join(dataDir, 'frame.png')]),
  );
  const [wall, cpu] = ['wallSeconds', 'cpuSeconds'].map((name) => 1000 * median(alone.map((cost) => cost[name])));
  rows['framewright frame'] = { wallMs: wall, shortestMs: 1000 * Math.min(...alone.map(({ wallSeconds }) => wallSeconds)), perSecond: 1000 / wall, cpuMs: cpu };
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
}

if (values.json) console.log(JSON.stringify(rows));
else {
  const whole = rows['framewright frame'];
  console.log(`${'frames of a 1080p movie'.padEnd(34)}    ms    min  per second  CPU ms   × framewright frame: time, CPU`);
  for (const [name, { wallMs, shortestMs, perSecond, cpuMs }] of Object.entries(rows)) {
    const columns = [wallMs.toFixed(0).padStart(6), (shortestMs?.toFixed(0) ?? '').padStart(6), perSecond.toFixed(1).padStart(9), cpuMs.toFixed(0).padStart(7)];
    console.log(`${name.padEnd(34)}${columns.join(' ')}   ${(wallMs / whole.wallMs).toFixed(2).padStart(18)} ${(cpuMs / whole.cpuMs).toFixed(2)}`);
  }
}
