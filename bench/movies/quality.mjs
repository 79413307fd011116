import { spawnSync } from 'node:child_process';
import { rawVideo } from './peers/floor.mjs';

/** Of a file against the frames it was made from: {psnrDb (all planes), ssim}. */
export function qualityOf(path, frames) {
  const graph = '[0:v]split[a][b];[1:v]split[c][d];[a][c]psnr;[b][d]ssim';
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-hide_banner', '-i', path, ...rawVideo(frames), '-lavfi', graph, '-f', 'null', '-'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const psnr = /PSNR.* average:(\S+)/.exec(stderr)?.[1];
  const ssim = /SSIM.* All:(\S+)/.exec(stderr)?.[1];
  if (status !== 0 || psnr === undefined || ssim === undefined) throw new Error(`The quality of ${path} cannot be measured:\n${stderr.slice(-2000)}`);
  return { psnrDb: Number(psnr), ssim: Number(ssim) };
}
