// Which settings of x265 and SVT-AV1 look like x264 at each word of `quality`: node bench/encoders/quality.mjs
// Two clips, a film with motion and grain and a slideshow of drawn pictures; SSIM and PSNR by ffmpeg's filters.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'framewright-quality-'));
const ffmpeg = (...args) => execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

const clips = {
  film: 'mandelbrot=s=480x270:r=25:start_scale=0.4:end_scale=0.02:end_pts=200,noise=alls=6:allf=t',
  drawn: "testsrc2=s=700x400:r=25,crop=480:270:x='60+40*sin(t)':y='40+30*cos(t)'",
};

const encoders = {
  libx264: (crf) => ['-preset', 'veryfast', '-profile:v', 'high', '-x264-params', 'stitchable=1', '-crf', crf],
  libx265: (crf) => ['-preset', 'veryfast', '-x265-params', 'log-level=none:info=0:open-gop=0', '-crf', crf],
  libsvtav1: (crf) => ['-preset', '10', '-svtav1-params', 'irefresh-type=2:scd=0', '-crf', crf],
};

function measure(source, encoder, crf) {
  const path = join(folder, 'out.mkv');
  ffmpeg('-i', source, '-c:v', encoder, ...encoders[encoder](String(crf)), '-g', '125', path);
  const { stderr } = spawnSync(
    'ffmpeg',
    ['-nostdin', '-i', path, '-i', source, '-lavfi', '[0:v]split[a][b];[1:v]split[c][d];[a][c]ssim;[b][d]psnr', '-f', 'null', '-'],
    { encoding: 'utf8' },
  );
  const ssim = Number(/SSIM Y:[\d.]+ \(([\d.]+|inf)\)/.exec(stderr)?.[1]);
  const psnr = Number(/PSNR y:([\d.]+)/.exec(stderr)?.[1]);
  return { encoder, crf, ssimDb: ssim, psnrDb: psnr, bytes: statSync(path).size };
}

const words = { low: 28, medium: 23, high: 19 };
const ladders = { libx265: [16, 20, 24, 29], libsvtav1: [16, 26, 36, 46, 56] };

/** The crf on the ladder, between its steps, whose SSIM is that of x264. */
function matching(rows, ssimDb) {
  for (let i = 1; i < rows.length; i++) {
    const [better, worse] = [rows[i - 1], rows[i]];
    if (better.ssimDb >= ssimDb && worse.ssimDb <= ssimDb) {
      const part = (better.ssimDb - ssimDb) / (better.ssimDb - worse.ssimDb || 1);
      return {
        crf: better.crf + part * (worse.crf - better.crf),
        bytes: better.bytes * (worse.bytes / better.bytes) ** part,
        psnrDb: better.psnrDb + part * (worse.psnrDb - better.psnrDb),
      };
    }
  }
  return undefined;
}

const lines = [
  '| clip | quality | x264 crf | SSIM dB | PSNR dB | bytes | encoder | equal SSIM at crf | PSNR dB | bytes, x264 = 1 |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];
try {
  for (const [clip, graph] of Object.entries(clips)) {
    const source = join(folder, `${clip}.mkv`);
    ffmpeg('-f', 'lavfi', '-i', graph, '-frames:v', '50', '-pix_fmt', 'yuv420p', '-c:v', 'ffv1', source);
    const tables = Object.fromEntries(Object.entries(ladders).map(([encoder, crfs]) => [encoder, crfs.map((crf) => measure(source, encoder, crf))]));
    for (const [word, crf] of Object.entries(words)) {
      const reference = measure(source, 'libx264', crf);
      for (const [encoder, rows] of Object.entries(tables)) {
        const found = matching(rows, reference.ssimDb);
        lines.push(
          `| ${[clip, word, crf, reference.ssimDb.toFixed(2), reference.psnrDb.toFixed(2), reference.bytes, encoder, found?.crf.toFixed(1) ?? 'outside the ladder', found?.psnrDb.toFixed(2) ?? '', found === undefined ? '' : (found.bytes / reference.bytes).toFixed(2)].join(' | ')} |`,
        );
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(lines.join('\n'));
if (process.argv[2] !== undefined) {
  mkdirSync(join(process.argv[2], '..'), { recursive: true });
  writeFileSync(process.argv[2], `${lines.join('\n')}\n`);
}
