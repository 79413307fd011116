import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COLUMNS = 4;
const CELL = 480;

/** Frames from the whole length of a movie, side by side in one PNG. */
export async function drawSheet(moviePath, sheetPath, frames) {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=nb_frames', '-of', 'csv=p=0', moviePath]);
  const total = Math.max(1, Number.parseInt(stdout, 10));
  const count = Math.min(frames, total);
  // The middle frame of each of `count` equal ranges.
  const wanted = Array.from({ length: count }, (_, index) => Math.min(total - 1, Math.floor(((index + 0.5) * total) / count)));
  const select = wanted.map((frame) => `eq(n,${frame})`).join('+');
  const tile = `${Math.min(COLUMNS, count)}x${Math.ceil(count / COLUMNS)}`;
  const fit = `scale=${CELL}:${CELL}:force_original_aspect_ratio=decrease`;
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    moviePath,
    '-vf',
    `select='${select}',${fit},tile=${tile}:padding=6:color=gray`,
    '-frames:v',
    '1',
    sheetPath,
  ]);
}
