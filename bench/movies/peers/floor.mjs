import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { measure, run } from '../measure.mjs';
import { canvas } from '../movies.mjs';
import { encoderArguments } from './ffmpeg.mjs';
import { renderScript } from './framewright.mjs';

/** The finished frames and sound of a movie, uncompressed, as Framewright draws them. */
export function finishedFrames(script, places) {
  const { folder } = places;
  const lossless = join(folder, 'lossless.mp4');
  const frames = join(folder, 'frames.yuv');
  const sound = join(folder, 'sound.wav');
  renderScript(script, { preset: 'ultrafast', crf: 0 }, places, lossless);
  run([
    'ffmpeg',
    '-v',
    'error',
    '-nostdin',
    '-y',
    '-i',
    lossless,
    '-map',
    '0:v',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    frames,
    '-map',
    '0:a',
    '-c:a',
    'pcm_s16le',
    sound,
  ]);
  rmSync(lossless);
  return { frames, sound };
}

export const rawVideo = (path) => ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${canvas.width}x${canvas.height}`, '-r', String(canvas.fps), '-i', path];

/** What encoding alone costs: the finished frames, read from memory. */
export const floor = {
  name: 'floor',
  draws: () => true,
  render: (_movie, { settings, finished, output }) =>
    measure([
      'ffmpeg',
      '-v',
      'error',
      '-nostdin',
      '-y',
      ...rawVideo(finished.frames),
      '-i',
      finished.sound,
      '-map',
      '0:v',
      '-map',
      '1:a',
      ...encoderArguments(settings),
      output,
    ]),
};

/** The cost of decoding a movie's clip alone. */
export const decodeAlone = (movie) =>
  measure(['ffmpeg', '-v', 'error', '-nostdin', '-i', movie.clip, '-t', String(movie.seconds), '-map', '0:v', '-f', 'null', '-']);
