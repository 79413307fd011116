import { spawnSync } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../movies/measure.mjs';
import { clipMovie, renderOutputs } from './render.mjs';

const canvas = { width: 960, height: 540, fps: 25, seconds: 5 };
const fps = 12.5;

/** A GIF of 5 s and 480 pixels of every clip beside those that ffmpeg makes of the same frames: bytes, and SSIM of luma, YCbCr 4:2:0 and RGB. */
export function compareGifs({ clips, folder }) {
  console.log('GIF, 5 s, 480 pixels | kB | SSIM luma | YCbCr | RGB | palettegen: kB | SSIM luma | YCbCr | RGB | ratio of bytes');
  const rows = clips.map((clip) => {
    const { files } = renderOutputs(
      clip,
      clipMovie(clip, canvas),
      [
        { name: 'ours', format: 'gif', width: 480, fps },
        { name: 'frames', format: 'png', sequence: true, width: 480, fps },
      ],
      folder,
    );
    const frames = mkdtempSync(join(folder, 'gif-'));
    run(['unzip', '-q', files.frames, '-d', frames]);
    const input = ['-framerate', String(fps), '-i', join(frames, 'frame-%06d.png')];
    const theirs = join(frames, 'palettegen.gif');
    run(['ffmpeg', '-v', 'error', '-nostdin', ...input, '-lavfi', 'split[a][b];[a]palettegen[p];[b][p]paletteuse', theirs]);
    const of = (path) => ({ bytes: statSync(path).size, ...ssimOf(path, input) });
    const row = { clip: clip.name, ours: of(files.ours), palettegen: of(theirs) };
    const { ours, palettegen } = row;
    const cells = ({ bytes, luma, yuv, rgb }) => [(bytes / 1000).toFixed(0), ...[luma, yuv, rgb].map((ssim) => ssim.toFixed(4))];
    console.log([clip.name, ...cells(ours), ...cells(palettegen), (ours.bytes / palettegen.bytes).toFixed(2)].join(' | '));
    return row;
  });
  return rows;
}

/** Of all frames, at the rate of the reference. */
function ssimOf(path, reference) {
  const measure = (format) => {
    const graph = `[0:v]fps=${fps},format=${format}[a];[1:v]format=${format}[b];[a][b]ssim`;
    const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-hide_banner', '-i', path, ...reference, '-lavfi', graph, '-f', 'null', '-'], {
      encoding: 'utf8',
    });
    const [, ssim] = /SSIM.*(?:All|Y):(\S+)/.exec(stderr) ?? [];
    if (status !== 0 || ssim === undefined) throw new Error(`The quality of ${path} cannot be measured:\n${stderr.slice(-2000)}`);
    return Number(ssim);
  };
  return { luma: measure('gray'), yuv: measure('yuv420p'), rgb: measure('gbrp') };
}
