import type { Codec, Movie } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';

/** Minimum width and height that all AV1 encoders support. */
export const MIN_AV1_PIXELS = 64;

/** Parses `codec`; `fallback` is that of a movie without. Throws SCHEMA_VALIDATION_ERROR for AV1 videos that are too small. */
export function parseCodec(movie: Fields, { width, height }: Pick<Movie, 'width' | 'height'>, fallback: Codec): Codec {
  const codec = (movie.optionalString('codec') as Codec | undefined) ?? fallback;
  if (codec === 'av1' && Math.min(width, height) < MIN_AV1_PIXELS) {
    fail('codec', `codec must be "h264" or "hevc" for a video of ${width}×${height} pixels: av1 needs at least ${MIN_AV1_PIXELS}×${MIN_AV1_PIXELS}.`);
  }
  return codec;
}
