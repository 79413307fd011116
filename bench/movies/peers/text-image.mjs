import { existsSync } from 'node:fs';
import { run } from '../measure.mjs';
import { fontFile } from './ffmpeg.mjs';

/** Draws lines of white text, centred on a transparent image or on a plate, for programs that cannot draw the texts themselves. */
export function drawTextImage(path, lines, { width, height, plate = 'black@0' }) {
  if (existsSync(path)) return path;
  const drawn = lines.map(
    ({ text, pixels, y, weight = 700 }) =>
      `drawtext=fontfile=${fontFile(weight)}:text='${text}':expansion=none:fontsize=${pixels}:fontcolor=white:x=(w-text_w)/2:y=${y}-text_h/2`,
  );
  const source = `color=${plate}:s=${width}x${height},format=rgba,${drawn.join(',')}`;
  run(['ffmpeg', '-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-c:v', 'png', path]);
  return path;
}
