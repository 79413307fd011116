import { resolveDurations } from './durations.js';
import type { Movie } from './movie.js';

const FULL_HD_PIXELS = 1920 * 1080;

/**
 * Credits of a render: 1 per started second of output up to 1920×1080 pixels, 4 above. The excess from rounding to whole frames is
 * free: 10 s at 29.97 fps are 300 frames, which last 10.01 s.
 */
export function creditsForFrames(frames: number, { width, height, fps }: Pick<Movie, 'width' | 'height' | 'fps'>): number {
  const perSecond = width * height > FULL_HD_PIXELS ? 4 : 1;
  return Math.max(1, Math.ceil(((frames - 0.5) * fps.den) / fps.num - 1e-6)) * perSecond;
}

/**
 * Duration and cost estimated from the script alone, by the rules of the render. Media of unknown duration counts
 * DEFAULT_CLIP_SECONDS per loop, a voice its estimated speech length.
 */
export function estimateMovie(movie: Movie): { durationSeconds: number; credits: number } {
  const { totalFrames } = resolveDurations(movie, () => undefined);
  return { durationSeconds: (totalFrames * movie.fps.den) / movie.fps.num, credits: creditsForFrames(totalFrames, movie) };
}
