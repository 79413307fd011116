import type { SubtitleStyle } from '../../script/index.js';
import type { Page } from './pages.js';
import { litUntil } from './pages.js';

/** A frame range from the element's start; `end` is exclusive. */
export interface FrameRange {
  start: number;
  end: number;
}

/** When a word is shown and when it is highlighted. */
export interface WordSchedule {
  shown: FrameRange;
  lit?: FrameRange;
}

/** Frames of a page and of its words, in order. */
export interface PageSchedule {
  shown: FrameRange;
  words: WordSchedule[];
}

/** Styles whose words are not shown before they are spoken. */
const appearsWhenSpoken: ReadonlySet<SubtitleStyle> = new Set(['classic-progressive', 'bounce', 'stack']);

/** Converts a page's times to frames; undefined if it covers no frame of the element. */
export function schedulePage(page: Page, style: SubtitleStyle, fps: number, frames: number): PageSchedule | undefined {
  const frameAt = (seconds: number): number => Math.min(frames, Math.max(0, Math.round(seconds * fps)));
  const shown = { start: frameAt(page.start), end: frameAt(page.end) };
  if (shown.end <= shown.start) return undefined;
  const inPage = (seconds: number): number => Math.min(shown.end, Math.max(shown.start, frameAt(seconds)));
  const words = page.words.map((word, i): WordSchedule => {
    if (!page.highlights) return { shown };
    const lit = { start: inPage(word.start), end: inPage(litUntil(page, i)) };
    if (style === 'classic-one-word') return { shown, lit: shown };
    return { shown: appearsWhenSpoken.has(style) ? { ...shown, start: lit.start } : shown, ...(lit.end > lit.start ? { lit } : {}) };
  });
  return { shown, words };
}

/** The parts of a range before and after another one. */
export function subtractRange(whole: FrameRange, part: FrameRange | undefined): FrameRange[] {
  if (part === undefined) return [whole];
  return [
    { start: whole.start, end: Math.min(whole.end, part.start) },
    { start: Math.max(whole.start, part.end), end: whole.end },
  ].filter(({ start, end }) => end > start);
}
