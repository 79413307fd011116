import type { Typography } from '../../../script/index.js';
import { bidiLevels, hasOverrides, paragraphLevel, textOfRun, visualOrder } from './bidi.js';
import { isSimple } from './graphemes.js';
import type { TextWords } from './line-break.js';
import { findWords, isSpace } from './line-break.js';

/** Returns the width of a run in one direction, in pixels. */
export type MeasureRun = (text: string, rightToLeft: boolean, face: number) => number;

/** Properties of a paragraph that do not depend on the font size. */
export interface Paragraph {
  text: string;
  /** Bidi level of the paragraph. */
  base: 0 | 1;
  levels: Uint8Array;
  /** Whether some characters are forced into a direction that is not theirs. */
  isOverridden: boolean;
  faces: Uint8Array | undefined;
  /** Equal numbers for faces with the same font and size, between which letters are kerned. */
  shapes?: readonly number[];
  words: TextWords;
  firstWord: number;
  /** Starts of the runs that share a word, direction and face, followed by the text's end. A line may cut its first and last run. */
  starts: number[];
  /** Run index of every UTF-16 unit. */
  runOf: Uint32Array;
}

/** A run on a line. */
export interface Run {
  text: string;
  width: number;
  rightToLeft: boolean;
  level: number;
  blank: boolean;
  word: number;
  face?: number;
}

interface ParagraphInput {
  paragraphs: readonly string[];
  /** Face index of every UTF-16 unit of each paragraph; absent: 0. */
  faces?: readonly Uint8Array[];
  /** As in Paragraph. */
  shapes?: readonly number[];
  typography: Pick<Typography, 'wordBreak' | 'direction'>;
  lang: string;
}

const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}]/u;
const isJoined = (text: string): boolean => !isSimple(text) && joining.test(text);
const zeroWidthJoiner = '\u200d';
/** Letters of joining scripts that do not join the letter after them (Joining_Type R and U). */
const endsJoin =
  /[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0710\u0715-\u0719\u071e\u0728\u072a\u072c\u072f]/;

/** Whether the letters around a position are joined; marks belong to the letter before them. */
function joinsAt(text: string, at: number): boolean {
  if (!isJoined(text.charAt(at)) || text.charAt(at) === '\u0621') return false;
  const before = /(\P{M})\p{M}*$/u.exec(text.slice(Math.max(0, at - 8), at))?.[1] ?? '';
  return isJoined(before) && !endsJoin.test(before);
}

/** Finds words, directions and runs of paragraphs. */
export function prepareParagraphs({ paragraphs, faces, shapes, lang, typography }: ParagraphInput): Paragraph[] {
  let firstWord = 0;
  return paragraphs.map((text, i) => {
    const base = typography.direction === undefined ? paragraphLevel(text) : typography.direction === 'rtl' ? 1 : 0;
    const words = findWords(text, lang, typography.wordBreak);
    const paragraph = { text, base, levels: bidiLevels(text, base), isOverridden: hasOverrides(text), faces: faces?.[i], words, firstWord } as const;
    firstWord += words.wordCount;
    return { ...paragraph, ...(shapes === undefined ? {} : { shapes }), ...findRuns(paragraph) };
  });
}

function findRuns({ text, words, levels, faces }: Omit<Paragraph, 'starts' | 'runOf'>): Pick<Paragraph, 'starts' | 'runOf'> {
  const starts: number[] = [];
  const runOf = new Uint32Array(text.length);
  let wasSpace = false;
  for (let at = 0; at < text.length; at++) {
    const space = isSpace(text.charAt(at));
    const goesOn = at > 0 && space === wasSpace && [words.wordOf, levels, faces].every((of) => of?.[at] === of?.[at - 1]);
    if (!goesOn) starts.push(at);
    runOf[at] = starts.length - 1;
    wasSpace = space;
  }
  return { starts: [...starts, text.length], runOf };
}

function isBlank(text: string): boolean {
  return [...text].every((character) => isSpace(character) || character === '\u200b');
}

/** The displayed text of a range on a line, with hyphens and joiners at the line's ends. */
function displayedText(paragraph: Paragraph, start: number, end: number, lineStart: number, lineEnd: number): string {
  const { text, levels, isOverridden, faces } = paragraph;
  let shown = text.slice(start, end).replaceAll('\u00ad', '');
  if (end === lineEnd && text[end - 1] === '\u00ad') shown += '-';
  const changesFace = (at: number) => faces !== undefined && faces[at - 1] !== faces[at];
  // Joiners keep the joined letter shapes where a word is broken or its face changes.
  if ((end === lineEnd || changesFace(end)) && joinsAt(text, end)) shown += zeroWidthJoiner;
  if ((start === lineStart || changesFace(start)) && joinsAt(text, start)) shown = zeroWidthJoiner + shown;
  return textOfRun(shown, levels[start] ?? 0, isOverridden);
}

/** By how much a run is wider because letters beyond it have the same font in another colour: kerning goes to the run on the left. */
function kerning(paragraph: Paragraph, from: number, to: number, [lineStart, lineEnd]: readonly [number, number], measure: MeasureRun): number {
  const { shapes, faces, levels, starts, runOf } = paragraph;
  if (shapes === undefined || faces === undefined) return 0;
  const rightToLeft = (levels[from] ?? 0) % 2 === 1;
  const seam = rightToLeft ? from : to;
  if (seam <= lineStart || seam >= lineEnd) return 0;
  const before = Math.max(lineStart, starts[runOf[seam - 1] as number] as number);
  const after = Math.min(lineEnd, starts[(runOf[seam] as number) + 1] as number);
  const isShared = shapes[faces[seam - 1] as number] === shapes[faces[seam] as number] && paragraph.words.wordOf[seam - 1] === paragraph.words.wordOf[seam];
  if (!isShared || faces[seam - 1] === faces[seam] || levels[seam - 1] !== levels[seam]) return 0;
  const widthOf = (start: number, end: number) => measure(displayedText(paragraph, start, end, start, end), rightToLeft, faces[from] as number);
  return widthOf(before, after) - widthOf(before, seam) - widthOf(seam, after);
}

/** The runs of a line from `start` to `end`; `suffix` is appended to the last one. */
export function splitRuns(paragraph: Paragraph, start: number, end: number, measure: MeasureRun, suffix = ''): Run[] {
  const { levels, faces, words, firstWord, starts, runOf } = paragraph;
  const runs: Run[] = [];
  for (let from = start; from < end; ) {
    const to = Math.min(end, starts[(runOf[from] as number) + 1] as number);
    const text = displayedText(paragraph, from, to, start, end) + (to === end ? suffix : '');
    const level = levels[from] ?? 0;
    const rightToLeft = level % 2 === 1;
    const face = faces?.[from] ?? 0;
    const width = text === '' ? 0 : measure(text, rightToLeft, face) + kerning(paragraph, from, to, [start, end], measure);
    const word = firstWord + (words.wordOf[from] ?? 0);
    runs.push({ text, width, rightToLeft, level, blank: isBlank(text), word, ...(face === 0 ? {} : { face }) });
    from = to;
  }
  return runs;
}

/** Letter spacing of a text, or of each of its faces. */
export type Spacing = number | readonly number[];

/** Letter spacing after the last letter, which is removed because it would shift centred lines. */
export function trailingSpacing(last: Pick<Run, 'blank' | 'text' | 'face'> | undefined, spacing: Spacing): number {
  if (last === undefined || last.blank || isJoined(last.text)) return 0;
  return typeof spacing === 'number' ? spacing : (spacing[last.face ?? 0] ?? 0);
}

/** Width of a line without trailing letter spacing. */
export function lineWidth(runs: readonly Run[], spacing: Spacing): number {
  const order = visualOrder(runs.map(({ level }) => level));
  return runs.reduce((sum, run) => sum + run.width, 0) - trailingSpacing(runs[order.at(-1) ?? -1], spacing);
}

/** Widths of candidate lines of a paragraph; complete runs are measured once. */
export class LineWidths {
  readonly #paragraph: Paragraph;
  readonly #measure: MeasureRun;
  readonly #spacing: Spacing;
  /** Total width of the runs before each run. */
  readonly #sums: number[] = [0];

  constructor(paragraph: Paragraph, measure: MeasureRun, spacing: Spacing) {
    this.#paragraph = paragraph;
    this.#measure = measure;
    this.#spacing = spacing;
  }

  /** Width of a line from `start` to `end`. */
  of(start: number, end: number): number {
    if (end <= start) return 0;
    const { runOf, starts } = this.#paragraph;
    const [first, last] = [runOf[start] as number, runOf[end - 1] as number];
    const [spacing] = this.#spacing === 0 ? [0] : [this.#trailing(start, end, first, last)];
    if (first === last) return this.#widthOf(start, end, start, end) - spacing;
    const inner = this.#sumBefore(last) - this.#sumBefore(first + 1);
    return this.#widthOf(start, starts[first + 1] as number, start, end) + inner + this.#widthOf(starts[last] as number, end, start, end) - spacing;
  }

  #trailing(start: number, end: number, first: number, last: number): number {
    const { starts, levels } = this.#paragraph;
    const order = visualOrder(Array.from({ length: last - first + 1 }, (_, i) => levels[starts[first + i] as number] ?? 0));
    const rightmost = first + (order.at(-1) ?? 0);
    const text = displayedText(this.#paragraph, Math.max(start, starts[rightmost] as number), Math.min(end, starts[rightmost + 1] as number), start, end);
    const face = this.#paragraph.faces?.[starts[rightmost] as number] ?? 0;
    return trailingSpacing({ text, blank: isBlank(text), face }, this.#spacing);
  }

  #sumBefore(run: number): number {
    const { starts, text } = this.#paragraph;
    for (let next = this.#sums.length - 1; next < run; next++) {
      const width = this.#widthOf(starts[next] as number, starts[next + 1] as number, -1, text.length + 1);
      this.#sums.push((this.#sums[next] as number) + width);
    }
    return this.#sums[run] as number;
  }

  #widthOf(from: number, to: number, lineStart: number, lineEnd: number): number {
    const text = displayedText(this.#paragraph, from, to, lineStart, lineEnd);
    const own = text === '' ? 0 : this.#measure(text, (this.#paragraph.levels[from] ?? 0) % 2 === 1, this.#paragraph.faces?.[from] ?? 0);
    return own + kerning(this.#paragraph, from, to, [lineStart, lineEnd], this.#measure);
  }
}
