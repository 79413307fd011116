import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Effects of the compositor beside ffmpeg's filters, each on one thread, in turns. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    frames: { type: 'string', default: '60' },
    // Effects whose name contains it.
    only: { type: 'string', default: '' },
    before: { type: 'string' },
    // No better instruction set than this one of Highway, and for ffmpeg none of AVX-512.
    simd: { type: 'string' },
    program: { type: 'string', default: join(root, 'build', 'bench', 'compose_bench') },
  },
});
const rounds = Number(values.rounds);
const frames = Number(values.frames);
/** What a filter must add to a run to be measured, and the frames of the longest run. */
const shortestSeconds = 0.1;
const maxFrames = 1000;

const folder = mkdtempSync('/dev/shm/bench-effects-');
const clip = join(folder, 'clip.yuv');
const cube = join(folder, 'warm.cube');
const side = 33;
const steep = (at, gain) => Math.min(1, at * at * (3 - 2 * at) * gain).toFixed(6);
const vertices = Array.from({ length: side ** 3 }, (_, index) => {
  const [r, g, b] = [index % side, Math.floor(index / side) % side, Math.floor(index / side ** 2)].map((value) => value / (side - 1));
  return `${steep(r, 1.08)} ${steep(g, 1)} ${steep(b, 0.9)}`;
});
writeFileSync(cube, `LUT_3D_SIZE ${side}\n${vertices.join('\n')}\n`);

/** Corners of the image rotated by half a radian about its middle, seen from 2000 pixels. */
const corner = (x, y) => {
  const depth = 1 + (Math.sin(0.5) / 2000) * (x - 960);
  return `${Math.round(960 + (Math.cos(0.5) * (x - 960)) / depth)}:y=${Math.round(540 + (y - 540) / depth)}`;
};
const corners = [corner(0, 0), corner(1920, 0), corner(0, 1080), corner(1920, 1080)]
  .map((at, index) => `x${index}=${at.replace('y=', `y${index}=`)}`)
  .join(':');

/** Name, the case of compose_bench, and ffmpeg's filter for the same. */
const effects = [
  ['LUT', 'effect LUT', `lut3d=file=${cube}`],
  ['LUT, without the conversion to RGB and back', undefined, `lut3d=file=${cube}`, 'format=gbrp,format=yuv420p'],
  ['perspective, linear', 'effect perspective', `perspective=${corners}:sense=destination:interpolation=linear`],
  ['perspective, cubic', undefined, `perspective=${corners}:sense=destination:interpolation=cubic`],
  ['blur, sigma 2', 'effect blur, sigma 2', 'gblur=sigma=2'],
  ['blur, sigma 20', 'effect blur, sigma 20', 'gblur=sigma=20'],
  ['shadow, sigma 20', 'effect drop shadow, sigma 20', 'format=yuva420p,split[a][b];[b]lutyuv=y=16:u=128:v=128:a=val/2,gblur=sigma=20[s];[s][a]overlay=y=-16'],
  ['correction', 'effect correction', 'eq=brightness=0.1:contrast=1.2:saturation=1.3'],
  ['correction with gamma', 'effect correction with gamma', 'eq=brightness=0.1:contrast=1.2:gamma=1.3:saturation=1.3'],
  ['sharpen', 'effect sharpen', 'unsharp=3:3:0.5'],
  ['vignette', 'effect vignette', 'vignette'],
  ['grain', 'effect grain', 'noise=c0s=10:c0f=t'],
  ['retime, mixed', 'retime: mix of two frames', 'setpts=4*PTS,minterpolate=fps=30:mi_mode=blend', 'setpts=4*PTS,fps=30'],
  ['retime, repeated', 'film, copied', 'setpts=4*PTS,fps=30'],
];

/** User and system time, as filters may copy frames that a run without them passes on. */
function ffmpegSeconds(filter, count) {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', '1920x1080', '-r', '30', '-stream_loop', '-1', '-i', clip];
  const command = [
    ...(values.simd === undefined ? [] : ['-cpuflags', '-avx512-avx512icl']),
    '-v',
    'info',
    '-nostdin',
    '-benchmark',
    '-threads',
    '1',
    '-filter_threads',
    '1',
    '-filter_complex_threads',
    '1',
    ...input,
  ];
  const output = ['-filter_complex', filter, '-frames:v', String(count), '-pix_fmt', 'yuv420p', '-f', 'null', '-'];
  const text = execFileSync('sh', ['-c', 'exec ffmpeg "$@" 2>&1', 'ffmpeg', ...command, ...output], { encoding: 'utf8' });
  const [, user, system] = /bench: utime=([0-9.]+)s stime=([0-9.]+)s/.exec(text);
  return Number(user) + Number(system);
}

/** Milliseconds that a filter adds to a frame; over more frames if they are few. */
function filterMilliseconds(filter, without, count = frames) {
  const added = ffmpegSeconds(filter, count) - ffmpegSeconds(without, count);
  const isExact = added > shortestSeconds || count >= maxFrames;
  return isExact ? (added * 1000) / count : filterMilliseconds(filter, without, Math.min(maxFrames, count * 10));
}

function composeMilliseconds(program, name) {
  const text = execFileSync(program, ['--frames', '0', '--json', '--only', name, ...(values.simd === undefined ? [] : ['--simd', values.simd])], {
    encoding: 'utf8',
  });
  return JSON.parse(text).cases.find((one) => one.name === name).ms;
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

try {
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=30', '-frames:v', '8', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', clip]);
  const isBeside = values.before !== undefined;
  console.log(`1080p, one thread, ms of CPU time a frame | Framewright | ${isBeside ? 'before | ' : ''}ffmpeg | ratio${isBeside ? ' | ratio before' : ''}`);
  for (const [name, ours, filter, without = 'null'] of effects) {
    if (!name.includes(values.only)) continue;
    const [mine, earlier, theirs] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      if (ours !== undefined) mine.push(composeMilliseconds(values.program, ours));
      if (ours !== undefined && isBeside) earlier.push(composeMilliseconds(values.before, ours));
      theirs.push(filterMilliseconds(filter, without));
    }
    const right = median(theirs);
    const times = [median(mine), ...(isBeside ? [median(earlier)] : [])];
    const ratios = times.map((time) => (time === undefined || right <= 0 ? '' : (time / right).toFixed(2)));
    console.log([name, ...times.map((time) => time?.toFixed(2) ?? ''), right.toFixed(2), ...ratios].join(' | '));
  }
} finally {
  rmSync(folder, { recursive: true });
}
