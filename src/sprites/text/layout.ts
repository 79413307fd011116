import type { Typography } from '../../movie/index.js';
import { bidiLevels, paragraphLevel, visualOrder } from './bidi.js';
import { graphemesOf, isSimple } from './graphemes.js';
import type { TextWords } from './line-break.js';
import { findWords, isSpace } from './line-break.js';

/** How wide a run of one direction is, in pixels. */
export type MeasureRun = (text: string, rightToLeft: boolean, face: number) => number;

/** A run that is drawn with one call: one word's share of one line, all in one direction. */
export interface Fragment {
  text: string;
  /** Left edge and baseline from the top left of the text's content box. */
  x: number;
  baseline: number;
  width: number;
  rightToLeft: boolean;
  /** Nothing to draw but the lines of a decoration. */
  blank: boolean;
  word: number;
  line: number;
  /** First and last of its line from left to right. */
  leftmost: boolean;
  rightmost: boolean;
  /** Which of the text's faces it is drawn with; absent: its first. */
  face?: number;
}

export interface TextLayout {
  fragments: Fragment[];
  width: number;
  height: number;
  lineCount: number;
  wordCount: number;
  /** A word had to be cut, or sticks out of its line. */
  crowded: boolean;
}

export interface LayoutInput {
  paragraphs: readonly string[];
  /** The face of every UTF-16 unit of each paragraph; absent: all have the first. */
  faces?: readonly Uint8Array[];
  typography: Pick<
    Typography,
    'fontSize' | 'lineHeight' | 'letterSpacing' | 'textAlign' | 'wordBreak' | 'keepLongWords' | 'noWrap' | 'textIndent' | 'direction' | 'maxLines' | 'ellipsis'
  >;
  /** Of the first font, so that a line with a fallback font does not jump. */
  ascent: number;
  descent: number;
  /** Width to wrap at. */
  maxWidth: number;
  /** Makes the block this wide whatever its lines need. */
  width?: number;
  /** No narrower than this. */
  minWidth?: number;
  lang: string;
  measure: MeasureRun;
}

interface Paragraph {
  text: string;
  base: 0 | 1;
  levels: Uint8Array;
  faces: Uint8Array | undefined;
  words: TextWords;
  firstWord: number;
}

interface Line {
  paragraph: Paragraph;
  start: number;
  end: number;
  wrapped: boolean;
  crowded: boolean;
  /** Before its first run. */
  indent: number;
  /** Behind its last letter. */
  suffix?: string;
}

type Run = Omit<Fragment, 'x' | 'baseline' | 'line' | 'leftmost' | 'rightmost'> & { level: number };

// A line may stick out by rounding noise, but not by a visible amount.
const tolerance = 0.01;
const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}]/u;
const isJoined = (text: string): boolean => !isSimple(text) && joining.test(text);
const zeroWidthJoiner = '\u200d';

function isBlank(text: string): boolean {
  return [...text].every((character) => isSpace(character) || character === '\u200b');
}

/** What a stretch of a paragraph looks like when it stands on one line. */
function shownText(paragraph: Paragraph, start: number, end: number, lineStart: number, lineEnd: number): string {
  const { text } = paragraph;
  let shown = text.slice(start, end).replaceAll('\u00ad', '');
  if (end === lineEnd && text[end - 1] === '\u00ad') shown += '-';
  const cut = (at: number) => isJoined(text[at - 1] ?? '') && isJoined(text[at] ?? '');
  // Letters keep their joined shapes where a word had to be cut.
  if (end === lineEnd && cut(end)) shown += zeroWidthJoiner;
  if (start === lineStart && cut(start)) shown = zeroWidthJoiner + shown;
  return shown;
}

function splitRuns(paragraph: Paragraph, start: number, end: number, measure: MeasureRun, suffix = ''): Run[] {
  const { text, levels, faces, words, firstWord } = paragraph;
  const runs: Run[] = [];
  const kind = (at: number) => `${words.wordOf[at]} ${levels[at]} ${isSpace(text.charAt(at))} ${faces?.[at] ?? 0}`;
  for (let from = start; from < end; ) {
    let to = from + 1;
    while (to < end && kind(to) === kind(from)) to++;
    const shown = shownText(paragraph, from, to, start, end) + (to === end ? suffix : '');
    const level = levels[from] ?? 0;
    const rightToLeft = level % 2 === 1;
    const face = faces?.[from] ?? 0;
    runs.push({
      text: shown,
      width: shown === '' ? 0 : measure(shown, rightToLeft, face),
      rightToLeft,
      level,
      blank: isBlank(shown),
      word: firstWord + (words.wordOf[from] ?? 0),
      ...(face === 0 ? {} : { face }),
    });
    from = to;
  }
  return runs;
}

export function layOutText(input: LayoutInput): TextLayout {
  const paragraphs = openParagraphs(input);
  const widths = paragraphs.map((paragraph) => indentOf(paragraph, input) + lineWidth(splitRuns(paragraph, 0, paragraph.text.length, input.measure), input));
  const natural = Math.max(0, ...widths);
  const width = input.width ?? Math.max(input.minWidth ?? 0, Math.min(natural, Math.max(0, input.maxWidth)));
  const all = paragraphs.flatMap((paragraph, i) =>
    input.typography.noWrap === true || (widths[i] ?? 0) <= input.maxWidth + tolerance
      ? [{ paragraph, start: 0, end: paragraph.text.length, wrapped: false, crowded: false, indent: indentOf(paragraph, input) }]
      : wrap(paragraph, input),
  );
  const lines = shortened(all, width, input);
  const height = input.typography.lineHeight * input.typography.fontSize;
  const lead = (height - (input.ascent + input.descent)) / 2;
  // Whole baselines keep every line equally sharp.
  const fragments = lines.flatMap((line, i) => placeLine(line, i, Math.round(i * height + lead + input.ascent), width, input));
  const last = paragraphs.at(-1);
  return {
    fragments,
    width,
    height: lines.length * height,
    lineCount: lines.length,
    wordCount: last ? last.firstWord + last.words.wordCount : 0,
    crowded: lines.some(({ crowded }) => crowded),
  };
}

function openParagraphs({ paragraphs, faces, lang, typography }: LayoutInput): Paragraph[] {
  let firstWord = 0;
  return paragraphs.map((text, i) => {
    const base = typography.direction === undefined ? paragraphLevel(text) : typography.direction === 'rtl' ? 1 : 0;
    const words = findWords(text, lang, typography.wordBreak);
    const paragraph = { text, base, levels: bidiLevels(text, base), faces: faces?.[i], words, firstWord };
    firstWord += words.wordCount;
    return paragraph;
  });
}

/** The first line of a text alone has one. */
function indentOf({ firstWord }: Paragraph, { typography }: LayoutInput): number {
  return firstWord === 0 ? (typography.textIndent ?? 0) : 0;
}

const ellipsis = '\u2026';

/** No more lines than are asked for; the last of them, and with `ellipsis` each that is too long, ends in an ellipsis. */
function shortened(lines: readonly Line[], width: number, input: LayoutInput): Line[] {
  const { maxLines = lines.length, ellipsis: marksAll, noWrap } = input.typography;
  return lines.slice(0, maxLines).map((line, i) => {
    const hidesMore = i === maxLines - 1 && lines.length > maxLines;
    const room = Math.min(width, input.maxWidth) - line.indent + tolerance;
    const isTooLong = marksAll === true && noWrap === true && lineWidth(splitRuns(line.paragraph, line.start, line.end, input.measure), input) > room;
    return hidesMore || isTooLong ? cutLine(line, room, input) : line;
  });
}

function cutLine(line: Line, room: number, input: LayoutInput): Line {
  const { paragraph, start } = line;
  const ends = [...graphemesOf(paragraph.text.slice(start, line.end), input.lang)].map(({ segment, index }) => start + index + segment.length);
  const fits = (end: number) => lineWidth(splitRuns(paragraph, start, trimEnd(paragraph.text, start, end), input.measure, ellipsis), input) <= room;
  let low = 0;
  let high = Math.max(0, ends.length - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(ends[middle] as number)) low = middle;
    else high = middle - 1;
  }
  return { ...line, end: trimEnd(paragraph.text, start, ends[low] ?? line.end), wrapped: false, suffix: ellipsis };
}

/** Letter spacing behind the last letter would push the line off its middle. */
function trailingSpacing(last: Run | undefined, input: LayoutInput): number {
  return last === undefined || last.blank || isJoined(last.text) ? 0 : input.typography.letterSpacing;
}

function lineWidth(runs: readonly Run[], input: LayoutInput): number {
  const order = visualOrder(runs.map(({ level }) => level));
  const last = runs[order.at(-1) ?? -1];
  return runs.reduce((sum, run) => sum + run.width, 0) - trailingSpacing(last, input);
}

function trimEnd(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && isSpace(text.charAt(trimmed - 1))) trimmed--;
  return trimmed;
}

function wrap(paragraph: Paragraph, input: LayoutInput): Line[] {
  const { text, words } = paragraph;
  const lines: Line[] = [];
  const indent = indentOf(paragraph, input);
  const fits: Fits = (start, end) =>
    lineWidth(splitRuns(paragraph, start, end, input.measure), input) <= input.maxWidth - (start === 0 ? indent : 0) + tolerance;
  let start = 0;
  let next = 0;
  while (start < text.length) {
    let end = start;
    for (let i = next; i < words.breaks.length; i++) {
      const candidate = words.breaks[i] as number;
      if (candidate <= start) continue;
      if (!reaches(start, candidate, fits) || !fits(start, trimEnd(text, start, candidate))) break;
      end = candidate;
      next = i + 1;
    }
    const crowded = end === start;
    if (crowded) {
      end = words.breaks.find((at) => at > start) ?? text.length;
      if (!input.typography.keepLongWords) end = cutWord(paragraph, start, end, fits, input.lang);
    }
    lines.push({ paragraph, start, end: trimEnd(text, start, end), wrapped: end < text.length, crowded, indent: start === 0 ? indent : 0 });
    start = end;
  }
  return lines;
}

type Fits = (start: number, end: number) => boolean;

const firstLook = 64;

/** False when a far end surely does not fit: measuring all of a very long word for every line would take quadratic time. */
function reaches(start: number, end: number, fits: Fits): boolean {
  for (let length = firstLook; start + length < end; length *= 2) if (!fits(start, start + length)) return false;
  return true;
}

/** As many graphemes of a word as fit on a line, and at least one. */
function cutWord(paragraph: Paragraph, start: number, wordEnd: number, fits: Fits, lang: string): number {
  for (let length = firstLook; ; length *= 2) {
    const windowEnd = Math.min(wordEnd, start + length);
    const ends = [...graphemesOf(paragraph.text.slice(start, windowEnd), lang)].map(({ segment, index }) => start + index + segment.length);
    // The window may have cut its last grapheme.
    if (windowEnd < wordEnd && (ends.length < 2 || fits(start, windowEnd))) continue;
    if (windowEnd < wordEnd) ends.pop();
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(start, ends[middle] as number)) low = middle;
      else high = middle - 1;
    }
    return ends[low] ?? wordEnd;
  }
}

function placeLine(line: Line, index: number, baseline: number, width: number, input: LayoutInput): Fragment[] {
  const runs = splitRuns(line.paragraph, line.start, line.end, input.measure, line.suffix);
  const { base } = line.paragraph;
  const rest = width - line.indent - lineWidth(runs, input);
  // What is wider than its block sticks out where its writing ends.
  const free = input.typography.noWrap === true ? Math.max(0, rest) : rest;
  const gaps = runs.filter(({ blank }) => blank).length;
  const stretch = input.typography.textAlign === 'justify' && line.wrapped && gaps > 0 && free > 0 ? free / gaps : 0;
  const overhang = free - rest;
  let x = (stretch > 0 ? 0 : free * alignment(input.typography.textAlign, base)) + (base === 0 ? line.indent : -overhang);
  const order = visualOrder(runs.map(({ level }) => level));
  const placed: Fragment[] = [];
  for (const [i, at] of order.entries()) {
    const { level: _, ...run } = runs[at] as Run;
    const full = run.width + (run.blank ? stretch : 0) - (i === order.length - 1 ? trailingSpacing(runs[at], input) : 0);
    placed.push({ ...run, width: full, x, baseline, line: index, leftmost: i === 0, rightmost: i === order.length - 1 });
    x += full;
  }
  return placed;
}

/** The share of the free width on the left side; what justify leaves over starts where its language starts. */
function alignment(align: Typography['textAlign'], base: 0 | 1): number {
  if (align === 'center') return 0.5;
  return align === 'right' || (align === 'justify' && base === 1) ? 1 : 0;
}
