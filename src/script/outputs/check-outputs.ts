import type { NaturalDuration } from '../durations.js';
import { resolveDurations } from '../durations.js';
import type { Element, Movie, Output } from '../movie.js';
import { fail, joinPath } from '../validation/fail.js';
import { outputFormats } from './formats.js';
import { outputRange } from './range.js';

/** Maximum number of frames of an animation; longer ones are videos. */
const MAX_ANIMATION_FRAMES = 1800;
/** Maximum number of pixels of all frames of an animation, which are compressed more than once. */
const MAX_ANIMATION_TOTAL_PIXELS = 500_000_000;
/** Maximum pixels of a frame of an animation. */
const MAX_ANIMATION_PIXELS = 1920 * 1080;

/** Maximum frames of a sequence, and pixels of all of them: a few gigabytes. */
const MAX_SEQUENCE_FRAMES = 7200;
const MAX_SEQUENCE_PIXELS = 4_000_000_000;

/** Longer than any media, so that a movie lasts at most as long as with it. */
const LONGEST_MEDIA_SECONDS = 24 * 3600;

/**
 * Checks the outputs of a movie against its length, as far as `naturalSeconds` knows it. Throws SCHEMA_VALIDATION_ERROR for an animation
 * that is too long or too large, for times after the end of the movie, and for sound files of a movie that has no sound.
 */
export function checkOutputs(movie: Movie, naturalSeconds: NaturalDuration = () => undefined): void {
  if (movie.outputs.length === 0) return;
  const secondsWith = (unknown: number): number => {
    const { totalFrames } = resolveDurations(movie, (element) => naturalSeconds(element) ?? unknown);
    return (totalFrames * movie.fps.den) / movie.fps.num;
  };
  const [shortest, longest] = [secondsWith(0), secondsWith(LONGEST_MEDIA_SECONDS)];
  for (const output of movie.outputs) {
    const { path, format, range, time } = output;
    const { kind } = outputFormats[format];
    const isBehind = (seconds: number | undefined): boolean => seconds !== undefined && seconds > 0 && seconds >= longest;
    const ends = `the movie ends at ${Number(longest.toFixed(3))} s`;
    if (isBehind(range?.start)) fail(joinPath(path, 'range.start'), `start must be before the end of the movie: ${ends}.`);
    if (isBehind(time)) fail(joinPath(path, 'time'), `time must be before the end of the movie: ${ends}.`);
    if (kind === 'animation') checkAnimation(output, shortest);
    if (output.sequence) checkSequence(output, shortest);
    if (kind === 'captions' && !hasCaptions(movie)) {
      fail(joinPath(path, 'format'), `A ${format} file needs subtitles or voices, and the movie has neither.`);
    }
    if (kind === 'audio' && !hasSound(movie)) fail(joinPath(path, 'format'), `A ${format} file needs sound, and no element of the movie has any.`);
  }
}

function countFrames(output: Output, movieSeconds: number): number {
  const { start, end } = outputRange(output, movieSeconds);
  return Math.ceil(((end - start) * output.fps.num) / output.fps.den - 1e-6);
}

function checkSequence(output: Output, movieSeconds: number): void {
  const frames = countFrames(output, movieSeconds);
  const pixels = frames * output.width * output.height;
  if (frames <= MAX_SEQUENCE_FRAMES && pixels <= MAX_SEQUENCE_PIXELS) return;
  fail(
    joinPath(output.path, 'sequence'),
    `A sequence may have ${MAX_SEQUENCE_FRAMES} frames and ${MAX_SEQUENCE_PIXELS / 1e6} million pixels, and this one has ${frames} frames and ${Math.ceil(pixels / 1e6)} million pixels; give it a range, a lower fps or a smaller width.`,
  );
}

function checkAnimation(output: Output, movieSeconds: number): void {
  const { path, format, width, height } = output;
  const frames = countFrames(output, movieSeconds);
  if (frames > MAX_ANIMATION_FRAMES) {
    fail(
      joinPath(path, 'format'),
      `A ${format} file may have ${MAX_ANIMATION_FRAMES} frames, and this one has ${frames}; give it a range or a lower fps, or use mp4 or webm.`,
    );
  }
  if (frames * width * height > MAX_ANIMATION_TOTAL_PIXELS) {
    fail(
      joinPath(path, 'format'),
      `A ${format} file may have ${MAX_ANIMATION_TOTAL_PIXELS / 1e6} million pixels in all its frames, and this one has ${Math.ceil((frames * width * height) / 1e6)}; give it a range, a smaller width or a lower fps, or use mp4 or webm.`,
    );
  }
  if (width * height > MAX_ANIMATION_PIXELS) {
    fail(
      joinPath(path, 'format'),
      `A ${format} file may have ${MAX_ANIMATION_PIXELS} pixels a frame, and this one has ${width}×${height}; give it a smaller width, or use mp4 or webm.`,
    );
  }
}

const allElements = (movie: Movie): Element[] => [...movie.scenes.flatMap(({ elements }) => elements), ...movie.elements];

const hasCaptions = (movie: Movie): boolean => allElements(movie).some(({ type }) => type === 'subtitles' || type === 'voice');

/** Whether any element may be heard. */
function hasSound(movie: Movie): boolean {
  return allElements(movie).some(
    (element) => element.type === 'voice' || ((element.type === 'audio' || element.type === 'video') && !element.muted && element.volume > 0),
  );
}
