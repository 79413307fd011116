// Which settings of x265 and SVT-AV1 look like x264 at each word of `quality`: node bench/encoders/quality.mjs
// Two clips: one with motion and film grain, and a slideshow of drawn images. SSIM and PSNR are measured by ffmpeg's filters.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'framewright-quality-'));

const clips = {
  grain: 'mandelbrot=s=480x270:r=25:start_scale=0.4:end_scale=0.02:end_pts=200,noise=alls=6:allf=t',
  drawn: "testsrc2=s=700x400:r=25,crop=480:270:x='60+40*sin(t)':y='40+30*cos(t)'",
};

/** As the engine sets them. */
const encoders = {
  libx265: (crf) => ['-preset', 'veryfast', '-x265-params', 'log-level=none:info=0:open-gop=0:hrd=0:pools=1', '-crf', crf],
  libsvtav1: (crf) => ['-preset', '10', '-svtav1-params', 'irefresh-type=2:scd=0:enable-force-key-frames=1:lp=1', '-crf', crf],
  libx264: (crf) => ['-preset', 'veryfast', '-profile:v', 'high', '-x264-params', 'stitchable=1', '-crf', crf],
};
const ladders = { libx265: [18, 24, 31], libsvtav1: [27, 36, 48] };
const words = { low: 28, medium: 23, high: 19 };
/** One encoding on one thread: luma SSIM and PSNR in dB, bytes, and seconds of the processor. */
function measure(source, encoder, crf) {
  const path = join(folder, 'out.mkv');
  const encoding = ['-benchmark', '-nostdin', '-y', '-i', source, '-c:v', encoder, ...encoders[encoder](String(crf)), '-threads', '1', '-g', '125', path];
  const log = run(encoding);
  const cpu = Number(/utime=([\d.]+)s/.exec(log)?.[1]);
  const compared = run(['-nostdin', '-i', path, '-i', source, '-lavfi', '[0:v]split[a][b];[1:v]split[c][d];[a][c]ssim;[b][d]psnr', '-f', 'null', '-']);
  const ssimDb = Number(/SSIM Y:[\d.]+ \(([\d.]+|inf)\)/.exec(compared)?.[1]);
  const psnrDb = Number(/PSNR y:([\d.]+)/.exec(compared)?.[1]);
  return { crf, ssimDb, psnrDb, cpu, bytes: statSync(path).size };
}

function run(args) {
  const { status, stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}\n${stderr}`);
  return stderr;
}

/** Between the steps of the ladder: where the SSIM is that of x264. */
function matching(rows, ssimDb) {
  for (const [i, worse] of rows.entries()) {
    const better = rows[i - 1];
    if (better === undefined || better.ssimDb < ssimDb || worse.ssimDb > ssimDb) continue;
    const part = (better.ssimDb - ssimDb) / (better.ssimDb - worse.ssimDb || 1);
    return {
      crf: between(better.crf, worse.crf, part),
      psnrDb: between(better.psnrDb, worse.psnrDb, part),
      cpu: between(better.cpu, worse.cpu, part),
      bytes: better.bytes * (worse.bytes / better.bytes) ** part,
    };
  }
  return undefined;
}

const between = (a, b, part) => a + part * (b - a);

function rowsOf(clip, source) {
  const references = Object.fromEntries(Object.entries(words).map(([word, crf]) => [word, measure(source, 'libx264', crf)]));
  return Object.entries(ladders).flatMap(([encoder, ladder]) => {
    const rows = ladder.map((crf) => measure(source, encoder, crf));
    return Object.entries(references).map(([word, reference]) => {
      const found = matching(rows, reference.ssimDb);
      const { crf, ssimDb, psnrDb } = reference;
      const head = [clip, word, crf, ssimDb.toFixed(2), psnrDb.toFixed(2), encoder];
      if (found === undefined) return [...head, 'outside the ladder', '', '', ''];
      const ratios = [found.bytes / reference.bytes, found.cpu / reference.cpu].map((ratio) => ratio.toFixed(2));
      return [...head, found.crf.toFixed(1), found.psnrDb.toFixed(2), ...ratios];
    });
  });
}

const lines = [
  '| clip | quality | x264 crf | SSIM dB | PSNR dB | encoder | equal SSIM at crf | PSNR dB | bytes, x264 = 1 | CPU time, x264 = 1 |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];
try {
  for (const [clip, graph] of Object.entries(clips)) {
    const source = join(folder, `${clip}.mkv`);
    run(['-nostdin', '-y', '-f', 'lavfi', '-i', graph, '-frames:v', '50', '-pix_fmt', 'yuv420p', '-c:v', 'ffv1', source]);
    for (const row of rowsOf(clip, source)) lines.push(`| ${row.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(lines.join('\n'));
if (process.argv[2] !== undefined) {
  mkdirSync(dirname(resolve(process.argv[2])), { recursive: true });
  writeFileSync(process.argv[2], `${lines.join('\n')}\n`);
}
