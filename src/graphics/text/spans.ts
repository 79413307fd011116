import type { SpanLook, TextSpan, Typography } from '../../script/index.js';

/** Looks of the parts of a text, and which of them each UTF-16 unit has. */
export interface TextLooks {
  looks: readonly SpanLook[];
  /** For each paragraph and unit: 0 for the look of the text, or the index of a look plus 1. */
  units: readonly Uint8Array[];
}

/** Finds the look of every unit of the paragraphs that `split` makes of a text. */
export function findLooks(text: string, spans: readonly TextSpan[], split: (text: string) => string[]): TextLooks {
  const looks: SpanLook[] = [];
  const indices = new Map<string, number>();
  const joined = split(text).join('\n');
  const units = new Uint8Array(joined.length);
  for (const { start, end, look } of spans) {
    const key = JSON.stringify(look);
    const index = indices.get(key) ?? looks.push(look);
    indices.set(key, index);
    units.fill(index, offsetIn(text, start, split), offsetIn(text, end, split));
  }
  let at = 0;
  const parts = joined.split('\n').map((paragraph) => {
    const own = units.slice(at, at + paragraph.length);
    at += paragraph.length + 1;
    return own;
  });
  return { looks, units: parts };
}

const wordJoiner = '\u2060';
const softHyphen = '\u00ad';

/** Where a position of a text is after splitting, which changes letter case and white space. The joiner protects a space at the end. */
function offsetIn(text: string, at: number, split: (text: string) => string[]): number {
  return split(`${text.slice(0, at)}${wordJoiner}`).join('\n').length - 1;
}

/** The units of a text from which characters were removed and into which soft hyphens were inserted. */
export function remainingUnits(before: string, after: string, units: Uint8Array): Uint8Array {
  const remaining = new Uint8Array(after.length);
  let from = 0;
  for (let to = 0; to < after.length; to++) {
    const isInserted = after[to] === softHyphen && before[from] !== softHyphen;
    while (!isInserted && from < before.length && before[from] !== after[to]) from++;
    remaining[to] = units[isInserted ? from - 1 : from] ?? 0;
    if (!isInserted) from++;
  }
  return remaining;
}

/** Faces of a text with looks: for each look, an even index for its font and the next one for the font of letters that it lacks. */
export function faceOf(look: number, isFallback: boolean): number {
  return look * 2 + (isFallback ? 1 : 0);
}

/** Looks of a brush by the faces of its runs; absent: those of the text. */
interface Looks {
  looks?: readonly SpanLook[];
}

/** The look of a face; undefined for the text's own. */
export function lookOf({ looks }: Looks, face = 0): SpanLook | undefined {
  return looks?.[(face >> 1) - 1];
}

/** Letter spacing of a face in pixels. */
export function letterSpacingOf(brush: Looks & { typography: { fontSize: number; letterSpacing: number } }, face = 0): number {
  const em = lookOf(brush, face)?.letterSpacingEm;
  return em === undefined ? brush.typography.letterSpacing : em * brush.typography.fontSize;
}

type Stroke = NonNullable<Typography['stroke']>;

/** The outline of letters with a look; undefined: none. */
export function strokeOf({ stroke, fontSize, color }: Pick<Typography, 'stroke' | 'fontSize' | 'color'>, look: SpanLook | undefined): Stroke | undefined {
  if (look?.stroke === undefined) return stroke;
  const { widthEm, color: own = look.color ?? color } = look.stroke;
  return widthEm === 0 ? undefined : { width: widthEm * fontSize, color: own };
}

/** The widest outline of a text in pixels; 0: none. */
export function maxStrokeWidth({ typography, looks = [] }: Looks & { typography: Pick<Typography, 'stroke' | 'fontSize' | 'color'> }): number {
  return Math.max(0, ...[undefined, ...looks].map((look) => strokeOf(typography, look)?.width ?? 0));
}

/** Font size of a face. */
export function sizeOf(brush: Looks & { typography: { fontSize: number } }, face = 0): number {
  return brush.typography.fontSize * (lookOf(brush, face)?.scale ?? 1);
}
