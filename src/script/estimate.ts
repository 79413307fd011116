import { resolveDurations } from './durations.js';
import type { Movie } from './movie.js';

const FULL_HD_PIXELS = 1920 * 1080;

/**
 * 1 per started second of output up to 1920×1080 pixels, 4 above. What rounding to whole frames has added is free: 10 s at
 * 29.97 frames a second are 300 frames, which last 10.01 s.
 */
export function creditsForFrames(frames: number, { width, height, fps }: Pick<Movie, 'width' | 'height' | 'fps'>): number {
  const perSecond = width * height > FULL_HD_PIXELS ? 4 : 1;
  return Math.max(1, Math.ceil(((frames - 0.5) * fps.den) / fps.num - 1e-6)) * perSecond;
}

/**
 * Length and cost from the script alone. Clips whose length the script does not give count 10 seconds each
 * pass (see UNKNOWN_CLIP_SECONDS), voices as long as their text takes to be said (see estimateSpeechSeconds); everything else follows the rules that the render itself follows.
 */
export function estimateMovie(movie: Movie): { durationSeconds: number; credits: number } {
  const { totalFrames } = resolveDurations(movie, () => undefined);
  return { durationSeconds: (totalFrames * movie.fps.den) / movie.fps.num, credits: creditsForFrames(totalFrames, movie) };
}
