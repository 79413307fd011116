import type { TextElement, Typography } from '../../script/index.js';
import type { Brush } from './brush.js';
import type { Fragment } from './lines/layout.js';
import type { PaintGroup } from './paint-groups.js';

/** A colour of a text that its keyframes change: what has it is drawn in white, and coloured while the video is composed. */
export type Tint = 'color' | 'backgroundColor' | 'strokeColor' | 'borderColor';

/** A part of a text's boxes; `rest`: gradients, shadows and the outline. */
export type BoxPart = 'background' | 'rest' | 'border';

/** The part of a layer that has the changing colour, or the rest of it. */
export type TintShare = 'tinted' | 'rest';

const tints: readonly Tint[] = ['color', 'backgroundColor', 'strokeColor', 'borderColor'];
const white = { r: 255, g: 255, b: 255, a: 255 };
const clear = { ...white, a: 0 };

/** The colours that the keyframes of a text change. */
export function tintsOf({ keyframes }: Pick<TextElement, 'keyframes'>): Tint[] {
  return tints.filter((tint) => keyframes.some((keyframe) => keyframe[tint] !== undefined));
}

/** The brush with the changing colours in white. */
export function whitened(brush: Brush, used: readonly Tint[]): Brush {
  if (used.length === 0) return brush;
  const { typography } = brush;
  const { stroke } = typography;
  return {
    ...brush,
    typography: {
      ...typography,
      ...(used.includes('color') && { color: white }),
      ...(used.includes('backgroundColor') && { backgroundColor: white }),
      ...(used.includes('strokeColor') && stroke !== undefined && { stroke: { ...stroke, color: white } }),
    },
  };
}

/** The typography whose boxes have some parts only; a background or a border alone is white. */
export function boxesOf(typography: Typography, parts: readonly BoxPart[] | undefined): Typography {
  if (parts === undefined) return typography;
  const { box, outline, ...plain } = typography;
  const has = (part: BoxPart) => parts.includes(part);
  const isTinted = parts.length === 1 && !has('rest');
  const backgroundColor = !has('background') ? clear : isTinted ? white : plain.backgroundColor;
  const rest = has('rest') && outline !== undefined ? { outline } : {};
  if (box === undefined) return { ...plain, ...rest, backgroundColor };
  const { background, border, shadows } = box;
  const own = has('background') ? { color: isTinted ? white : background.color } : { color: undefined };
  return {
    ...plain,
    ...rest,
    backgroundColor,
    box: {
      ...box,
      background: { ...background, ...own, layers: has('rest') ? background.layers : [] },
      border: has('border') && !isTinted ? border : { ...border, colors: allSides(has('border') ? white : clear) },
      shadows: has('rest') ? shadows : [],
    },
  };
}

function allSides<T>(value: T): { top: T; right: T; bottom: T; left: T } {
  return { top: value, right: value, bottom: value, left: value };
}

const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/u;

/** The letters and lines in the text's colour, or the others. Emoji have colours of their own. */
export function fillsOf(groups: readonly PaintGroup[], share: TintShare | undefined, { color }: Typography): readonly PaintGroup[] {
  if (share === undefined) return groups;
  // The colour of a part that equals the text's is another object.
  const hasTextColor = (group: PaintGroup) => group.color === color;
  return share === 'tinted' ? groups.filter(hasTextColor).map(tinted) : groups.flatMap((group) => (hasTextColor(group) ? untinted(group) : [group]));
}

/** Whether a run has letters with colours of their own. */
export const isEmoji = ({ text }: Fragment): boolean => emoji.test(text);

function tinted({ fill: _, lineColor, ...group }: PaintGroup): PaintGroup {
  return { ...group, fragments: group.fragments.filter((fragment) => !isEmoji(fragment)), lines: lineColor === undefined ? group.lines : [] };
}

/** Gradients, coloured lines and emoji of letters in the text's colour. */
function untinted(group: PaintGroup): PaintGroup[] {
  const { fill, lineColor, lines, ...plain } = group;
  const rest = { ...plain, fragments: group.fragments.filter(isEmoji), lines: lineColor === undefined ? [] : lines, ...(lineColor && { lineColor }) };
  return fill === undefined ? [rest] : [{ ...plain, fill, color: { ...white, a: 0 }, lines: [] }, rest];
}

/** The groups with the outline of the text, or the others. */
export function strokesOf(groups: readonly PaintGroup[], share: TintShare | undefined, { stroke }: Typography): readonly PaintGroup[] {
  return share === undefined ? groups : groups.filter((group) => (group.stroke === stroke) === (share === 'tinted'));
}
