import type { Typography } from '../../../script/index.js';

/** Texts with more lines are not titles; breaking them anew would take long. */
export const maxRebrokenLines = 30;

/** A last line that fills less than this fraction of the width is too short for `pretty`. */
const minLastLine = 1 / 3;
/** `pretty` breaks the last lines anew, as browsers do. */
const prettyLineCount = 4;
/** Cost of a break within a word; a line that ends at half the width costs 0.25. */
const wordBreakCost = 0.15;

/** Lines of a paragraph that were filled one after the other, and where they may break otherwise. */
export interface FilledLines {
  /** Start of each line, followed by the end of the last one. */
  bounds: readonly number[];
  /** Break opportunities in ascending order, without 0, including the end of the text. */
  breaks: readonly number[];
  /** Whether a break is within a word, where lines end only if they must. */
  splitsWord(at: number): boolean;
  /** Width of a line without the space at its end. */
  widthOf(start: number, end: number): number;
  /** Width at which lines wrap. */
  maxWidth: number;
}

/** The bounds of the lines after balancing, in as many lines; the same bounds where nothing can be improved. */
export function rebreak(style: NonNullable<Typography['textWrap']>, lines: FilledLines): readonly number[] {
  const count = lines.bounds.length - 1;
  if (count < 2 || count > maxRebrokenLines) return lines.bounds;
  return style === 'balance' ? balance(lines, count) : avoidShortLastLine(lines, count);
}

/** The widest line as narrow as possible, then all lines as equal as possible. */
function balance(lines: FilledLines, count: number): readonly number[] {
  const start = lines.bounds[0] as number;
  const between = lines.breaks.filter((at) => !lines.splitsWord(at));
  const needsParts = countLines(lines, between, lines.maxWidth) !== count;
  const breaks = needsParts ? lines.breaks : between;
  const narrowest = narrowestWidth(lines, breaks, count);
  const cost = (width: number, at: number) => ((narrowest - width) / narrowest) ** 2 + (lines.splitsWord(at) ? wordBreakCost : 0);
  // Where words must be broken, a wider line is better than another hyphen.
  return bestBounds({ ...lines, breaks, maxWidth: needsParts ? lines.maxWidth : narrowest }, start, count, cost, cost) ?? lines.bounds;
}

/** Precision of the narrowest width in pixels. */
const precision = 0.125;

/** The smallest width, rounded up, in which the text has `count` lines. */
function narrowestWidth(lines: FilledLines, breaks: readonly number[], count: number): number {
  let [low, high] = [0, lines.maxWidth];
  while (high - low > precision) {
    const middle = (low + high) / 2;
    if (countLines(lines, breaks, middle) <= count) high = middle;
    else low = middle;
  }
  return high;
}

/** Number of lines when each is filled up to a width; infinite if a part is wider. */
function countLines({ bounds, widthOf }: FilledLines, breaks: readonly number[], width: number): number {
  let start = bounds[0] as number;
  let end = start;
  let count = 1;
  for (const next of breaks) {
    if (widthOf(start, next) > width) {
      if (end === start) return Number.POSITIVE_INFINITY;
      [start, count] = [end, count + 1];
      if (widthOf(start, next) > width) return Number.POSITIVE_INFINITY;
    }
    end = next;
  }
  return count;
}

function avoidShortLastLine(lines: FilledLines, count: number): readonly number[] {
  const { bounds, maxWidth, widthOf, splitsWord } = lines;
  const end = bounds[count] as number;
  if (widthOf(bounds[count - 1] as number, end) >= maxWidth * minLastLine) return bounds;
  const first = Math.max(0, count - prettyLineCount);
  const start = bounds[first] as number;
  const cost = (width: number, at: number) => (1 - width / maxWidth) ** 2 + (splitsWord(at) ? wordBreakCost : 0);
  const lastCost = (width: number) => (4 * Math.max(0, minLastLine - width / maxWidth)) ** 2;
  const found = bestBounds(lines, start, count - first, cost, lastCost);
  return found === undefined ? bounds : [...bounds.slice(0, first), ...found];
}

type Cost = (width: number, end: number) => number;

/** A way to set a text up to a break opportunity. */
interface Path {
  cost: number;
  /** Index of the break opportunity at which the last line starts. */
  from: number;
}

/** The bounds with the lowest sum of costs from `start` to the end in exactly `count` lines; undefined if they do not fit. */
function bestBounds(lines: FilledLines, start: number, count: number, cost: Cost, lastCost: Cost): number[] | undefined {
  const { breaks, maxWidth, widthOf } = lines;
  const stops = [start, ...breaks.filter((at) => at > start)];
  const last = stops.length - 1;
  // paths[k][j]: the best of k lines up to stop j.
  const paths: Array<Array<Path | undefined>> = Array.from({ length: count + 1 }, () => []);
  (paths[0] as Path[])[0] = { cost: 0, from: 0 };
  for (let to = 1; to <= last; to++) {
    for (let from = to - 1; from >= 0; from--) {
      const [begin, end] = [stops[from] as number, stops[to] as number];
      const width = widthOf(begin, end);
      if (width > maxWidth) break;
      const own = (to === last ? lastCost : cost)(width, end);
      for (let line = 1; line <= count; line++) {
        const before = paths[line - 1]?.[from];
        if (before === undefined) continue;
        const total = before.cost + own;
        const row = paths[line] as Array<Path | undefined>;
        if (total < (row[to]?.cost ?? Number.POSITIVE_INFINITY)) row[to] = { cost: total, from };
      }
    }
  }
  if (paths[count]?.[last] === undefined) return undefined;
  const bounds: number[] = [];
  for (let [line, at] = [count, last]; line >= 0; line--) {
    bounds.unshift(stops[at] as number);
    at = paths[line]?.[at]?.from ?? 0;
  }
  return bounds;
}
