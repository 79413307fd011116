import type { Animate, AnimatedPart, LoopAnimation, PhaseAnimation } from './animation.js';

/** The longest time from the first part's start to the last one's where the script sets no stagger, in seconds. */
const MAX_SPREAD = 1.2;
/** Minimum seconds for which a text of natural duration is complete between its entrance and its exit. */
const MIN_COMPLETE_SECONDS = 0.7;
/** Characters of an average line, to estimate the number of lines before layout. */
const LINE_CHARACTERS = 18;

const entranceStagger: Readonly<Record<AnimatedPart, number>> = { element: 0, line: 0.15, word: 0.08, letter: 0.03 };
const typewriterStagger: Readonly<Record<AnimatedPart, number>> = { element: 0, line: 0.5, word: 0.2, letter: 0.05 };
const loopStagger: Readonly<Record<AnimatedPart, number>> = { element: 0, line: 0.15, word: 0.08, letter: 0.06 };

/** A bar starts while the one before is nearly complete. */
const HIGHLIGHT_STAGGER = 0.35;

/** Seconds between the starts of two of `count` parts. */
export function staggerSeconds(animation: PhaseAnimation | LoopAnimation, count: number): number {
  if (animation.stagger !== undefined) return animation.by === 'element' ? 0 : animation.stagger;
  if (animation.type === 'typewriter') return animation.duration > 0 ? animation.duration / Math.max(1, count - 1) : typewriterStagger[animation.by];
  if (animation.type === 'highlight' && animation.by === 'line') return HIGHLIGHT_STAGGER;
  if (!('easing' in animation)) return loopStagger[animation.by];
  return Math.min(entranceStagger[animation.by], MAX_SPREAD / Math.max(1, count - 1));
}

/** Seconds that one part moves; typed letters are there at once. */
export function partSeconds({ type, duration }: PhaseAnimation): number {
  return type === 'typewriter' ? 0 : duration;
}

/** Seconds from the start of an entrance or exit of `count` parts to its end, with its delay. */
export function phaseSeconds(animation: PhaseAnimation | undefined, count: number): number {
  if (animation === undefined) return 0;
  return animation.delay + staggerSeconds(animation, count) * Math.max(0, count - 1) + partSeconds(animation);
}

/** The time that an animated text needs at least: entrance, 0.7 s complete, exit. In seconds; 0 without entrance. */
export function minTextSeconds(animate: Animate | undefined, text: string): number {
  if (animate?.in === undefined) return 0;
  const seconds = (animation: PhaseAnimation | undefined) => (animation === undefined ? 0 : phaseSeconds(animation, estimateParts(text, animation.by)));
  return seconds(animate.in) + MIN_COMPLETE_SECONDS + seconds(animate.out);
}

/** The number of parts of a text before layout; of lines an upper estimate. */
export function estimateParts(text: string, by: AnimatedPart): number {
  if (by === 'element') return 1;
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (by === 'word') return Math.max(1, words.length);
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(words.join(''))].length;
  if (by === 'letter') return Math.max(1, letters);
  return Math.max(text.split('\n').length, Math.ceil(letters / LINE_CHARACTERS));
}
