import type { Rect } from '../canvas/bitmap.js';
import { bidiLevels, hasOverrides, paragraphLevel, textOfRun, visualOrder } from '../text/lines/bidi.js';
import { graphemesOf } from '../text/lines/graphemes.js';
import { breakLines } from './break-lines.js';
import type { CaptionLook, CaptionWord } from './caption.js';

/** Part of one word on one line, in one direction. */
export interface CaptionRun {
  text: string;
  word: number;
  rightToLeft: boolean;
  /** Left edge and baseline from the top left of the block. */
  x: number;
  baseline: number;
  width: number;
}

interface CaptionLayout {
  runs: CaptionRun[];
  /** Boxes of each word's parts, by word index. */
  cells: Rect[][];
  width: number;
  height: number;
}

/** Font metrics of captions, in pixels. */
export interface CaptionMetrics {
  /** Width of a text in the style of a word. */
  measure(text: string, word: CaptionWord, rightToLeft: boolean): number;
  space: number;
  /** Whole pixels. */
  lineHeight: number;
  baseline: number;
  /** Height of the ink over the baseline. */
  ascent: number;
}

/** A word, or a part of it that fits on a line. */
interface Part {
  text: string;
  word: number;
  space: number;
  width: number;
  breakBefore: boolean;
  counts: boolean;
}

/** Breaks a caption into lines and positions its runs. */
export function layoutCaption(words: readonly CaptionWord[], look: CaptionLook, metrics: CaptionMetrics, lang: string): CaptionLayout {
  const base = paragraphLevel(words.map(({ text }) => text).join(' '));
  const parts = words.flatMap((word, index) => partsOf(word, index, look, metrics, lang));
  const starts = breakLines(parts, { maxWidth: look.maxWidth, maxWords: look.maxWordsPerLine });
  const lines = starts.map((from, i) => orderLine(parts.slice(from, starts[i + 1] ?? parts.length), words, base, metrics));
  const width = evenUp(Math.max(0, ...lines.map((line) => line.width)));
  const layout: CaptionLayout = { runs: [], cells: words.map(() => []), width, height: lines.length * metrics.lineHeight };
  for (const [i, line] of lines.entries()) {
    const free = { left: 0, center: (width - line.width) / 2, right: width - line.width }[look.align];
    const top = i * metrics.lineHeight;
    for (const run of line.runs) {
      const x = free + run.x;
      // Half-pixel positions let equal words share sprites; the difference in spacing is not visible.
      layout.runs.push({ ...run, x: Math.round(x * 2) / 2, baseline: top + metrics.baseline - raised(words[run.word], metrics) });
      layout.cells[run.word]?.push({ x, y: top, width: run.width, height: metrics.lineHeight });
    }
  }
  return { ...layout, cells: layout.cells.map(joinNeighbours) };
}

/** How far a word in smaller letters is raised to stand in the middle of its line; a multiple of 2. */
function raised(word: CaptionWord | undefined, { ascent }: CaptionMetrics): number {
  return Math.round(((1 - (word?.style.scale ?? 1)) * ascent) / 4) * 2;
}

const evenUp = (length: number): number => Math.ceil(length / 2 - 1e-6) * 2;

function partsOf(word: CaptionWord, index: number, look: CaptionLook, metrics: CaptionMetrics, lang: string): Part[] {
  const space = word.glued ? 0 : metrics.space + look.wordSpacing;
  const width = metrics.measure(word.text, word, paragraphLevel(word.text) === 1);
  const whole = { text: word.text, word: index, space, width, breakBefore: word.breakBefore && index > 0, counts: true };
  if (width <= look.maxWidth) return [whole];
  return splitText(word, look.maxWidth, metrics, lang).map((text, i) => ({
    ...whole,
    text,
    width: metrics.measure(text, word, paragraphLevel(text) === 1),
    ...(i === 0 ? {} : { space: 0, breakBefore: false, counts: false }),
  }));
}

/** Splits a word into parts of as many graphemes as fit on a line, at least one. */
function splitText(word: CaptionWord, maxWidth: number, metrics: CaptionMetrics, lang: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemesOf(word.text, lang)) {
    if (piece !== '' && metrics.measure(piece + segment, word, false) > maxWidth) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

interface LineRun extends CaptionRun {
  blank: boolean;
}

/** Orders the runs of a line from left to right. */
function orderLine(parts: readonly Part[], words: readonly CaptionWord[], base: 0 | 1, metrics: CaptionMetrics): { runs: CaptionRun[]; width: number } {
  const gaps = parts.map(({ space }, i) => (i > 0 && space > 0 ? space : 0));
  const text = parts.map((part, i) => `${(gaps[i] ?? 0) > 0 ? ' ' : ''}${part.text}`).join('');
  const levels = bidiLevels(text, base);
  const isOverridden = hasOverrides(text);
  const runs: Array<LineRun & { level: number }> = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const gap = gaps[i] ?? 0;
    const shared = { x: 0, baseline: 0, word: part.word };
    if (gap > 0) runs.push({ ...shared, text: ' ', level: levels[at++] ?? base, width: gap, rightToLeft: false, blank: true });
    const end = at + part.text.length;
    while (at < end) {
      const from = at;
      while (at < end && levels[at] === levels[from]) at += 1;
      const level = levels[from] ?? base;
      const own = textOfRun(text.slice(from, at), level, isOverridden);
      const word = words[part.word] as CaptionWord;
      runs.push({ ...shared, text: own, level, rightToLeft: level % 2 === 1, width: metrics.measure(own, word, level % 2 === 1), blank: own === '' });
    }
  }
  let x = 0;
  const placed = visualOrder(runs.map(({ level }) => level)).map((index) => {
    const { level: _, ...run } = runs[index] as (typeof runs)[number];
    x += run.width;
    return { ...run, x: x - run.width };
  });
  return { runs: placed.filter(({ blank }) => !blank).map(({ blank: _, ...run }) => run), width: x };
}

/** Merges adjacent parts of a word on one line into one cell. */
function joinNeighbours(cells: readonly Rect[]): Rect[] {
  const joined: Rect[] = [];
  for (const cell of [...cells].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const last = joined.at(-1);
    if (last && last.y === cell.y && Math.abs(last.x + last.width - cell.x) < 0.5) last.width = cell.x + cell.width - last.x;
    else joined.push({ ...cell });
  }
  return joined;
}
