import type { Output } from '../movie.js';

/** The part of a movie of this length that an output shows, in seconds. `end` is less than `start` if that is after the end of the movie. */
export function outputRange({ range }: Pick<Output, 'range'>, movieSeconds: number): { start: number; end: number } {
  const { start = 0, duration = Number.POSITIVE_INFINITY } = range ?? {};
  return { start, end: Math.min(movieSeconds, start + duration) };
}
