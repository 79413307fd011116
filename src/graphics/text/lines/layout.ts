import type { Typography } from '../../../script/index.js';
import { rebreak } from './balance.js';
import { visualOrder } from './bidi.js';
import { greatestFitting } from './fit.js';
import { graphemesOf } from './graphemes.js';
import { isSpace, splitsWord } from './line-break.js';
import type { MeasureRun, Paragraph, Run, Spacing } from './paragraph.js';
import { LineWidths, lineWidth, splitRuns, trailingSpacing } from './paragraph.js';

/** A run drawn with one call: the part of one word on one line, in one direction. */
export interface Fragment {
  text: string;
  /** Left edge and baseline from the top left of the content box. */
  x: number;
  baseline: number;
  width: number;
  rightToLeft: boolean;
  /** White space: only decoration lines are drawn. */
  blank: boolean;
  word: number;
  line: number;
  /** Whether it is the first or last fragment of its line from left to right. */
  leftmost: boolean;
  rightmost: boolean;
  /** Index of the text's face; absent: 0. */
  face?: number;
  /** Offset of the glyphs to the right, if they do not fill the width. */
  indent?: number;
}

/** A line of a block. */
export interface LineBox {
  /** From the top of the content box. */
  top: number;
  height: number;
}

/** What a face needs on its line, in pixels. */
export interface LineExtent {
  above: number;
  below: number;
}

/** Positioned lines of a text; sizes in pixels. */
export interface TextLayout {
  fragments: Fragment[];
  lines: LineBox[];
  width: number;
  height: number;
  lineCount: number;
  wordCount: number;
  /** A word was broken or is wider than its line. */
  hasOverflow: boolean;
}

/** Space for a text: height in pixels and number of lines. */
export interface FitLimits {
  height: number;
  lines: number;
}

/** Input of layoutText(); lengths in pixels. */
export interface LayoutInput {
  paragraphs: readonly Paragraph[];
  typography: Pick<
    Typography,
    'fontSize' | 'lineHeight' | 'letterSpacing' | 'textAlign' | 'keepLongWords' | 'noWrap' | 'textIndent' | 'maxLines' | 'ellipsis'
  > &
    Partial<Pick<Typography, 'textWrap' | 'horizontalPosition'>>;
  /** Metrics of the first font, so that lines with a fallback font have the same height. */
  ascent: number;
  descent: number;
  /** Width at which lines wrap. */
  maxWidth: number;
  /** Fixed width of the block; absent: the width of its lines. */
  width?: number;
  /** Minimum width of the block. */
  minWidth?: number;
  lang: string;
  /** Baselines may lie between pixels. */
  isVarying?: boolean;
  measure: MeasureRun;
  /** Letter spacing of faces; absent: that of the text. */
  spacings?: readonly number[];
  /** Extents of faces around the baseline; absent: all lines have the same height. */
  extents?: readonly LineExtent[];
}

interface Line {
  paragraph: Paragraph;
  start: number;
  end: number;
  /** Where the next line starts: after the space at this one's end. */
  next: number;
  wrapped: boolean;
  overflows: boolean;
  /** Space before the first run. */
  indent: number;
  /** Text after the last character, e.g. an ellipsis. */
  suffix?: string;
}

// Rounding errors may exceed the width by this much.
const tolerance = 0.01;

/** A paragraph with the widths needed to break it into lines. */
interface PreparedParagraph {
  paragraph: Paragraph;
  indent: number;
  widths: LineWidths;
  /** Width on a single line; infinite if it is certainly too wide. */
  whole: number;
}

/** Breaks paragraphs into lines and positions their fragments. */
export function layoutText(input: LayoutInput): TextLayout {
  const { paragraphs, typography } = input;
  const settings = paragraphs.map((paragraph) => prepareParagraph(paragraph, input));
  const natural = settings.reduce((widest, { whole }) => Math.max(widest, whole), 0);
  const broken = typography.textWrap === undefined ? undefined : rebreakLines(settings, input);
  const widest = broken !== undefined && closesAround(typography) ? widestLine(broken, input) : natural;
  const width = input.width ?? Math.max(input.minWidth ?? 0, Math.min(widest, Math.max(0, input.maxWidth)));
  const lines = truncateLines(broken ?? generateLines(settings, input), width, input);
  const boxes = input.extents === undefined ? evenLines(lines, input) : unevenLines(lines, input);
  const fragments = lines.flatMap((line, i) => placeLine(line, i, boxes[i]?.baseline ?? 0, width, input));
  const last = paragraphs.at(-1);
  return {
    fragments,
    lines: boxes.map(({ top, height }) => ({ top, height })),
    width,
    height: input.extents === undefined ? lines.length * lineHeightOf(input) : boxes.reduce((sum, { height }) => sum + height, 0),
    lineCount: lines.length,
    wordCount: last ? last.firstWord + last.words.wordCount : 0,
    hasOverflow: lines.some(({ overflows }) => overflows),
  };
}

function lineHeightOf({ typography }: LayoutInput): number {
  return typography.lineHeight * typography.fontSize;
}

type PlacedLine = LineBox & { baseline: number };

/** Baselines on whole pixels keep all lines equally sharp. */
function baselineAt(y: number, { isVarying }: LayoutInput): number {
  return isVarying === true ? y : Math.round(y);
}

function evenLines(lines: readonly Line[], input: LayoutInput): PlacedLine[] {
  const height = lineHeightOf(input);
  const lead = (height - (input.ascent + input.descent)) / 2;
  return lines.map((_, i) => ({ top: i * height, height, baseline: baselineAt(i * height + lead + input.ascent, input) }));
}

/** Each line is as high as its largest letters need. */
function unevenLines(lines: readonly Line[], input: LayoutInput): PlacedLine[] {
  let top = 0;
  return lines.map((line) => {
    const { above, below } = extentOf(line, input);
    const placed = { top, height: above + below, baseline: baselineAt(top + above, input) };
    top += placed.height;
    return placed;
  });
}

function extentOf({ paragraph, start, end }: Line, input: LayoutInput): LineExtent {
  const height = lineHeightOf(input);
  const base = (height - (input.ascent + input.descent)) / 2 + input.ascent;
  let [above, below] = [base, height - base];
  for (const face of new Set(paragraph.faces?.subarray(start, end))) {
    const own = input.extents?.[face];
    above = Math.max(above, own?.above ?? 0);
    below = Math.max(below, own?.below ?? 0);
  }
  return { above, below };
}

/** Whether a text fits without overflowing lines. Faster than layoutText(), because it stops at the first line too many. */
export function fitsWithin(input: LayoutInput, { height, lines }: FitLimits): boolean {
  const { maxLines = Number.POSITIVE_INFINITY } = input.typography;
  let count = 0;
  let used = 0;
  for (const paragraph of input.paragraphs) {
    for (const line of generateLines([prepareParagraph(paragraph, input)], input)) {
      count += 1;
      if (count > maxLines) return true;
      const { above, below } = input.extents === undefined ? { above: 0, below: 0 } : extentOf(line, input);
      used = input.extents === undefined ? count * lineHeightOf(input) : used + above + below;
      if (count > lines || used > height || line.overflows) return false;
    }
  }
  return true;
}

function spacingOf({ spacings, typography }: LayoutInput): Spacing {
  return spacings ?? typography.letterSpacing;
}

function prepareParagraph(paragraph: Paragraph, input: LayoutInput): PreparedParagraph {
  const { typography, measure } = input;
  const widths = new LineWidths(paragraph, measure, spacingOf(input));
  const setting = { paragraph, indent: indentOf(paragraph, input), widths };
  const { length } = paragraph.text;
  // With negative letter spacing, a longer text may be narrower, so the shortcut does not apply.
  const isKnown = typography.noWrap === true || [spacingOf(input)].flat().some((spacing) => spacing < 0) || mayFit(0, length, fitsOf(setting, input));
  return { ...setting, whole: isKnown ? setting.indent + widths.of(0, length) : Number.POSITIVE_INFINITY };
}

function* generateLines(settings: readonly PreparedParagraph[], input: LayoutInput): Generator<Line> {
  for (const setting of settings) {
    const { paragraph, indent, whole } = setting;
    if (input.typography.noWrap === true || whole <= input.maxWidth + tolerance) {
      const { length } = paragraph.text;
      yield { paragraph, start: 0, end: length, next: length, wrapped: false, overflows: false, indent };
    } else yield* wrap(setting, input);
  }
}

function lineOf({ paragraph, indent }: PreparedParagraph, start: number, next: number): Line {
  const { text } = paragraph;
  return { paragraph, start, end: trimEnd(text, start, next), next, wrapped: next < text.length, overflows: false, indent: start === 0 ? indent : 0 };
}

/** Lines with balanced breaks; a truncated text stays as it is, so that it shows as much as possible. */
function rebreakLines(settings: readonly PreparedParagraph[], input: LayoutInput): Line[] {
  const { textWrap, maxLines = Number.POSITIVE_INFINITY } = input.typography;
  const filled = settings.map((setting) => [...generateLines([setting], input)]);
  const all = filled.flat();
  if (textWrap === undefined || all.length > maxLines) return all;
  return settings.flatMap((setting, i) => {
    const own = filled[i] as Line[];
    if (own.length < 2 || own.some(({ overflows }) => overflows)) return own;
    const { paragraph, widths, indent } = setting;
    const { text, words } = paragraph;
    const bounds = rebreak(textWrap, {
      bounds: [0, ...own.map(({ next }) => next)],
      breaks: words.breaks,
      splitsWord: (at) => splitsWord(text, words, at),
      widthOf: (start, end) => widths.of(start, trimEnd(text, start, end)) + (start === 0 ? indent : 0),
      maxWidth: input.maxWidth + tolerance,
    });
    return bounds.slice(1).map((end, line) => lineOf(setting, bounds[line] as number, end));
  });
}

/** Whether the block of a balanced text is as wide as its widest line: where that does not move the lines. */
function closesAround({ textWrap, textAlign, horizontalPosition }: LayoutInput['typography']): boolean {
  return textWrap === 'balance' && textAlign === horizontalPosition;
}

function widestLine(lines: readonly Line[], input: LayoutInput): number {
  const spacing = spacingOf(input);
  return Math.max(...lines.map(({ paragraph, start, end, indent }) => indent + lineWidth(splitRuns(paragraph, start, end, input.measure), spacing)));
}

/** Only the first line of a text is indented. */
function indentOf({ firstWord }: Paragraph, { typography }: LayoutInput): number {
  return firstWord === 0 ? (typography.textIndent ?? 0) : 0;
}

const ellipsis = '\u2026';

/** Limits the number of lines; the last one, and with `ellipsis` each line that is too long, ends in an ellipsis. */
function truncateLines(all: Iterable<Line>, width: number, input: LayoutInput): Line[] {
  const { maxLines = Number.POSITIVE_INFINITY, ellipsis: marksAll, noWrap } = input.typography;
  const lines: Line[] = [];
  let hidesMore = false;
  for (const line of all) {
    hidesMore = lines.length === maxLines;
    if (hidesMore) break;
    lines.push(line);
  }
  return lines.map((line, i) => {
    const room = Math.min(width, input.maxWidth) - line.indent + tolerance;
    const isTooLong =
      marksAll === true && noWrap === true && lineWidth(splitRuns(line.paragraph, line.start, line.end, input.measure), spacingOf(input)) > room;
    return isTooLong || (hidesMore && i === lines.length - 1) ? truncateLine(line, room, input) : line;
  });
}

function truncateLine(line: Line, room: number, input: LayoutInput): Line {
  const { paragraph, start } = line;
  const ends = [...graphemesOf(paragraph.text.slice(start, line.end), input.lang)].map(({ segment, index }) => start + index + segment.length);
  const fits = (end: number) => lineWidth(splitRuns(paragraph, start, trimEnd(paragraph.text, start, end), input.measure, ellipsis), spacingOf(input)) <= room;
  const last = greatestFitting(0, ends.length - 1, (i) => fits(ends[i] as number));
  return { ...line, end: trimEnd(paragraph.text, start, ends[last] ?? line.end), wrapped: false, suffix: ellipsis };
}

function trimEnd(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && isSpace(text.charAt(trimmed - 1))) trimmed--;
  return trimmed;
}

function fitsOf({ indent, widths }: Omit<PreparedParagraph, 'whole'>, { maxWidth }: LayoutInput): Fits {
  return (start, end) => widths.of(start, end) <= maxWidth - (start === 0 ? indent : 0) + tolerance;
}

function* wrap(setting: PreparedParagraph, input: LayoutInput): Generator<Line> {
  const { paragraph } = setting;
  const { text, words } = paragraph;
  const fits = fitsOf(setting, input);
  let next = 0;
  for (let start = 0; start < text.length; ) {
    while ((words.breaks[next] as number) <= start) next++;
    const last = lastMatching(next, words.breaks.length, (i) => {
      const end = words.breaks[i] as number;
      return mayFit(start, end, fits) && fits(start, trimEnd(text, start, end));
    });
    const crowded = last < next;
    let end = words.breaks[Math.max(last, next)] as number;
    if (crowded && !input.typography.keepLongWords) end = cutWord(paragraph, start, end, fits, input.lang);
    yield { ...lineOf(setting, start, end), overflows: crowded };
    start = end;
  }
}

/** The largest number from `from` below `to` that holds, `from - 1` if none does: exponential, then binary search. */
function lastMatching(from: number, to: number, holds: (at: number) => boolean): number {
  let low = from - 1;
  let high = to;
  for (let step = 1; low + step < high; step *= 2) {
    if (holds(low + step)) low += step;
    else high = low + step;
  }
  return greatestFitting(low, high - 1, holds);
}

type Fits = (start: number, end: number) => boolean;

const firstProbeLength = 64;

/** Returns false if a shorter part already does not fit: measuring a very long word for every line would take quadratic time. */
function mayFit(start: number, end: number, fits: Fits): boolean {
  for (let length = firstProbeLength; start + length < end; length *= 2) if (!fits(start, start + length)) return false;
  return true;
}

/** End of as many graphemes of a word as fit on a line, at least one. */
function cutWord(paragraph: Paragraph, start: number, wordEnd: number, fits: Fits, lang: string): number {
  for (let length = firstProbeLength; ; length *= 2) {
    const windowEnd = Math.min(wordEnd, start + length);
    const ends = [...graphemesOf(paragraph.text.slice(start, windowEnd), lang)].map(({ segment, index }) => start + index + segment.length);
    // The window may have split its last grapheme.
    if (windowEnd < wordEnd && (ends.length < 2 || fits(start, windowEnd))) continue;
    if (windowEnd < wordEnd) ends.pop();
    return ends[greatestFitting(0, ends.length - 1, (i) => fits(start, ends[i] as number))] ?? wordEnd;
  }
}

function placeLine(line: Line, index: number, baseline: number, width: number, input: LayoutInput): Fragment[] {
  const runs = splitRuns(line.paragraph, line.start, line.end, input.measure, line.suffix);
  const { base } = line.paragraph;
  const rest = width - line.indent - lineWidth(runs, spacingOf(input));
  // Unwrapped text wider than its block overflows at its end side.
  const free = input.typography.noWrap === true ? Math.max(0, rest) : rest;
  const isGap = ({ blank, width: own }: Run) => blank && own > 0;
  const gaps = runs.filter(isGap).length;
  const stretch = input.typography.textAlign === 'justify' && line.wrapped && gaps > 0 && free > 0 ? free / gaps : 0;
  const overhang = free - rest;
  let x = (stretch > 0 ? 0 : free * alignment(input.typography.textAlign, base)) + (base === 0 ? line.indent : -overhang);
  const order = visualOrder(runs.map(({ level }) => level));
  const placed: Fragment[] = [];
  for (const [i, at] of order.entries()) {
    const { level: _, ...run } = runs[at] as Run;
    const full = run.width + (isGap(runs[at] as Run) ? stretch : 0) - (i === order.length - 1 ? trailingSpacing(runs[at], spacingOf(input)) : 0);
    placed.push({ ...run, width: full, x, baseline, line: index, leftmost: i === 0, rightmost: i === order.length - 1 });
    x += full;
  }
  return placed;
}

/** Fraction of the free width on the left; lines that justify does not stretch are aligned to their start side. */
function alignment(align: Typography['textAlign'], base: 0 | 1): number {
  if (align === 'center') return 0.5;
  return align === 'right' || (align === 'justify' && base === 1) ? 1 : 0;
}
