import { run } from '../movies/measure.mjs';

/** What ffprobe says of the video of a file. */
export function ffprobe(path) {
  const text = run(['ffprobe', '-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=codec_name,width,height,pix_fmt', '-of', 'json', path]);
  const [{ codec_name, width, height, pix_fmt }] = JSON.parse(text).streams;
  return { codec: codec_name, width, height, pixels: pix_fmt };
}
