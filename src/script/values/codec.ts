import type { Codec, Movie } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';

/** The least width and height that every encoder of AV1 takes. */
const SMALLEST_AV1 = 64;

export function parseCodec(movie: Fields, { width, height }: Pick<Movie, 'width' | 'height'>): Codec {
  const codec = movie.string('codec') as Codec;
  if (codec === 'av1' && Math.min(width, height) < SMALLEST_AV1) {
    fail('codec', `codec must be "h264" or "hevc" for a video of ${width}×${height} pixels: av1 needs at least ${SMALLEST_AV1}×${SMALLEST_AV1}.`);
  }
  return codec;
}
