import { resolveDurations } from './durations.js';
import type { Movie } from './movie.js';

const FULL_HD_PIXELS = 1920 * 1080;

/** 1 per started second of output up to 1920×1080 pixels, 4 above. */
export function creditsFor(durationSeconds: number, width: number, height: number): number {
  const perSecond = width * height > FULL_HD_PIXELS ? 4 : 1;
  // Whole frames add up to whole seconds only to within rounding.
  return Math.max(1, Math.ceil(durationSeconds - 1e-6)) * perSecond;
}

/**
 * Length and cost from the script alone. Clips whose length the script does not give count 10 seconds each
 * pass (see UNKNOWN_CLIP_SECONDS), voices as long as their text takes to be said (see estimateSpeechSeconds); everything else follows the rules that the render itself follows.
 */
export function estimateMovie(movie: Movie): { durationSeconds: number; credits: number } {
  const { totalFrames } = resolveDurations(movie, () => undefined);
  const durationSeconds = (totalFrames * movie.fps.den) / movie.fps.num;
  return { durationSeconds, credits: creditsFor(durationSeconds, movie.width, movie.height) };
}
