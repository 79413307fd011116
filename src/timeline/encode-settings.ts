import type { Movie, Quality } from '../movie/index.js';
import type { EncodeSettings } from './timeline.js';

/**
 * What the script's `quality` means for the encoder. `veryfast` throughout: at equal size the slower presets
 * buy little on composed pictures, and the encoder is where a software render's time goes.
 */
const settings: Record<Quality, EncodeSettings> = {
  low: { encoder: 'libx264', preset: 'veryfast', crf: 28, keyframeSeconds: 5, audioBitrate: 96_000 },
  medium: { encoder: 'libx264', preset: 'veryfast', crf: 23, keyframeSeconds: 5, audioBitrate: 128_000 },
  high: { encoder: 'libx264', preset: 'veryfast', crf: 19, keyframeSeconds: 5, audioBitrate: 192_000 },
};

/** `overrides` come from the operator's command line, never from a script. */
export function encodeSettings(movie: Pick<Movie, 'quality' | 'loudness'>, overrides: Partial<EncodeSettings> = {}): EncodeSettings {
  return { ...settings[movie.quality], ...(movie.loudness === undefined ? {} : { loudness: movie.loudness }), ...overrides };
}
