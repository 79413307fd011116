import type { Codec, Movie } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';

/** The least width and height that every encoder of AV1 takes. */
const MIN_AV1_PIXELS = 64;

export function parseCodec(movie: Fields, { width, height }: Pick<Movie, 'width' | 'height'>): Codec {
  const codec = movie.string('codec') as Codec;
  if (codec === 'av1' && Math.min(width, height) < MIN_AV1_PIXELS) {
    fail('codec', `codec must be "h264" or "hevc" for a video of ${width}×${height} pixels: av1 needs at least ${MIN_AV1_PIXELS}×${MIN_AV1_PIXELS}.`);
  }
  return codec;
}
