import type { TextElement, TextStyle } from '../../script/index.js';
import { type RedrawnType, textParts, type Variant } from '../../timeline/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { expandToEven, unite } from '../canvas/bitmap.js';
import { hasBox, transformedRect } from './block-box.js';
import type { Brush } from './brush.js';
import type { Letter } from './letters.js';
import { splitLetters } from './letters.js';
import type { Fragment, LineBox } from './lines/layout.js';
import type { Painted, Painting } from './paint.js';
import { layersOf, paintText } from './paint.js';
import { type LetterVariant, letterVariants } from './redrawn/letter-variants.js';
import { type BoxPart, type Tint, whitened } from './tints.js';

/** A piece of a text. */
export interface PieceDescription {
  role: 'background' | 'block' | 'line' | 'word' | 'letter' | 'rule';
  /** Index among the pieces of its role, in reading order; all layers of a letter have the same index. */
  index: number;
  /** Indices of the line and word of a part that `animate` moves, in reading order. */
  line?: number;
  word?: number;
  /** Advance by line height of a line, word or letter, in the element's box. */
  cell?: Rect;
  /** Present if it replaces a letter for a while. */
  variant?: Variant;
  /** The colour in which the white drawing is shown; absent: it has its own colours. */
  tint?: Tint;
}

type PaintedPiece = PieceDescription & Painted;

/** A text positioned in its box. */
export interface PlacedText {
  fragments: readonly Fragment[];
  /** The block including padding. */
  outer: Rect;
  /** Lines from top to bottom. */
  lines: readonly LineBox[];
  brush: Brush;
}

const maxMovingLetters = 2000;

const letterStyles: ReadonlySet<TextStyle> = new Set(['004', '005', '006', '007', '008', '009', '010']);

/** How a text is split into pieces; styles with the same split share their drawings. */
type PieceSplit = 'block' | 'words' | 'letters' | 'letters between rules' | 'lines on backgrounds' | AnimatedSplit;

/** The split of a text with `animate`: its finest parts, what replaces them for a while, and what its style draws with them. */
type AnimatedSplit = `${'element' | 'line' | 'word' | 'letter'} animated${Redrawn}${'' | ' between rules' | ' on backgrounds'}`;
type Redrawn = '' | ` by ${RedrawnType}` | ' by scramble, draw-on';

/** The split that a text's animation or else its style needs. */
export function splitOfText({ style, animate }: Pick<TextElement, 'style' | 'animate'>): PieceSplit {
  if (animate === undefined) return splitOfStyle(style);
  const part = textParts(animate);
  // A highlight lies between the background and the letters.
  if (part === 'element' && style !== '008' && animate.in?.type !== 'highlight') return style === '011' ? 'lines on backgrounds' : 'block';
  return `${part} animated${redrawnBy(animate)}${style === '008' ? ' between rules' : style === '011' ? ' on backgrounds' : ''}`;
}

/** Width in canvas pixels with which `animate` draws the outlines of letters; undefined: by the font size. */
export function penWidthOf({ animate }: Pick<TextElement, 'animate'>): number | undefined {
  return [animate?.in, animate?.out].find((phase) => phase?.type === 'draw-on')?.amount;
}

function redrawnBy(animate: NonNullable<TextElement['animate']>): Redrawn {
  const uses = (type: RedrawnType) => animate.in?.type === type || animate.out?.type === type;
  if (uses('scramble')) return uses('draw-on') ? ' by scramble, draw-on' : ' by scramble';
  return uses('draw-on') ? ' by draw-on' : '';
}

/** Whether rules are drawn above and below the text. */
export function hasRules(split: PieceSplit): boolean {
  return split.endsWith('between rules');
}

function splitOfStyle(style: TextElement['style']): PieceSplit {
  if (style === '003') return 'words';
  if (style === '008') return 'letters between rules';
  if (style === '011') return 'lines on backgrounds';
  return letterStyles.has(style) ? 'letters' : 'block';
}

/** How a text is painted. */
interface PaintOptions {
  /** Bitmap pixels per canvas pixel. */
  density: number;
  /** Of outlines, in canvas pixels; absent: by the font size. */
  penWidth?: number | undefined;
  /** Colours that change. */
  tints: readonly Tint[];
  warn: (warning: string) => void;
}

/** Paints the pieces of a text lazily, back to front. */
export function* paintPieces(cut: PieceSplit, text: PlacedText, { density, penWidth, tints, warn }: PaintOptions): Generator<PaintedPiece> {
  const brush = whitened(text.brush, tints);
  const placed = { ...text, brush };
  const plans = planPieces(cut, placed, warn, penWidth);
  for (const { painting, ...info } of tints.length === 0 ? plans : plans.flatMap((plan) => tintedPlans(plan, brush, tints))) {
    const painted = paintText(painting, brush, density);
    if (painted) yield { ...info, ...painted };
  }
  if (hasRules(cut) && text.fragments.length > 0) for (const rule of paintRules(placed)) yield { ...rule, ...(tints.includes('color') && { tint: 'color' }) };
}

type Plan = PieceDescription & { painting: Painting };

/** A piece as several: what has a changing colour apart from the rest. */
function tintedPlans(plan: Plan, brush: Brush, tints: readonly Tint[]): Plan[] {
  const { backgrounds = [], layer, ...painting } = plan.painting;
  const split = (part: Painting, tint: Tint): Plan[] =>
    tints.includes(tint)
      ? [
          { ...plan, tint, painting: { ...part, share: 'tinted' } },
          { ...plan, painting: { ...part, share: 'rest' } },
        ]
      : [{ ...plan, painting: part }];
  const boxes = backgrounds.length === 0 ? [] : boxPlans({ ...plan, painting: { ...painting, fragments: [], backgrounds } }, tints);
  const layers = painting.fragments.length === 0 ? [] : layer === undefined ? layersOf(brush.typography, brush.looks) : [layer];
  return [
    ...boxes,
    ...layers.flatMap((one) => {
      const part = { ...painting, layer: one };
      if (one === 'pen' && tints.includes('color')) return [{ ...plan, tint: 'color' as const, painting: part }];
      return one === 'fill' ? split(part, 'color') : one === 'stroke' ? split(part, 'strokeColor') : [{ ...plan, painting: part }];
    }),
  ];
}

/** The boxes of a piece, with the parts that have a changing colour apart. */
function boxPlans(plan: Plan, tints: readonly Tint[]): Plan[] {
  const [hasBackground, hasBorder] = [tints.includes('backgroundColor'), tints.includes('borderColor')];
  if (!hasBackground && !hasBorder) return [plan];
  const part = (boxParts: readonly BoxPart[], tint?: Tint): Plan => ({ ...plan, ...(tint && { tint }), painting: { ...plan.painting, boxParts } });
  return [
    ...(hasBackground ? [part(['background'], 'backgroundColor')] : []),
    part([...(hasBackground ? [] : (['background'] as const)), 'rest', ...(hasBorder ? [] : (['border'] as const))]),
    ...(hasBorder ? [part(['border'], 'borderColor')] : []),
  ];
}

function planPieces(cut: PieceSplit, text: PlacedText, warn: (warning: string) => void, penWidth?: number): Plan[] {
  const { fragments, outer, brush } = text;
  const { typography } = brush;
  const visible = hasBox(typography);
  const block = outer;
  if (cut.includes(' animated')) return planAnimated(cut as AnimatedSplit, text, warn, penWidth);
  if (cut === 'lines on backgrounds') return [{ role: 'block', index: 0, painting: { fragments, block, backgrounds: visible ? lineBackgrounds(text) : [] } }];
  const backgrounds = visible ? [outer] : [];
  if (cut === 'block') return [{ role: 'block', index: 0, painting: { fragments, block, backgrounds } }];
  const background: Plan = { role: 'background', index: 0, painting: { fragments: [], block, backgrounds } };
  if (cut === 'words') return [background, ...planWords(text, groupByWord(fragments))];
  const words = groupByWord(fragments);
  const letters = splitLetters(words, brush);
  const fits = letters.length <= maxMovingLetters;
  if (!fits) warn(`the text has ${letters.length} letters, but at most ${maxMovingLetters} can move one by one; it moves word by word`);
  const parts = planLayers(text, fits ? letters : words, fits ? 'letter' : 'word');
  // The block replaces the parts while none of them moves.
  return [background, ...parts, { role: 'block', index: 0, painting: { fragments, block } }];
}

/** Background, parts, and the undivided text, which replaces the parts at rest. */
function planAnimated(cut: AnimatedSplit, text: PlacedText, warn: (warning: string) => void, penWidth?: number): Plan[] {
  const { fragments, outer: block, brush } = text;
  const isBacked = hasBox(brush.typography);
  const byLine = cut.endsWith('on backgrounds');
  const backgrounds = isBacked ? (byLine ? lineBackgrounds(text) : [block]) : [];
  const whole: Plan = { role: 'block', index: 0, painting: { fragments, block } };
  const background: Plan = { role: 'background', index: 0, painting: { fragments: [], block, backgrounds } };
  if (cut.startsWith('element')) return [background, whole];
  if (cut.startsWith('line')) {
    const lines = groupBy(fragments, ({ line }) => line);
    // A line on its own background moves with it.
    const parts = lines.map(
      (own, line): Plan => ({
        role: 'line',
        index: line,
        line,
        cell: cellOf(own, text),
        painting: { fragments: own, around: fragments, block, backgrounds: byLine ? backgrounds.slice(line, line + 1) : [] },
      }),
    );
    return byLine ? [...parts, { ...whole, painting: { ...whole.painting, backgrounds } }] : [background, ...parts, whole];
  }
  const words = groupByWord(fragments);
  const letters = cut.startsWith('letter') ? splitLetters(words, brush) : [];
  const isTooMany = letters.length > maxMovingLetters;
  if (isTooMany) warn(`the text has ${letters.length} letters, but at most ${maxMovingLetters} can move one by one; it moves word by word`);
  const [parts, role] = letters.length > 0 && !isTooMany ? [letters, 'letter' as const] : [words, 'word' as const];
  const variants = letterVariants(parts, brush, { scramble: cut.includes('scramble'), 'draw-on': cut.includes('draw-on') }, penWidth);
  const own = planLayers(text, parts, role, variants);
  return [background, ...own.map((part) => ({ ...part, ...placeOf(parts[part.index] ?? []) })), whole];
}

function placeOf([first]: readonly Fragment[]): { line: number; word: number } {
  return { line: first?.line ?? 0, word: first?.word ?? 0 };
}

function groupBy(fragments: readonly Fragment[], key: (fragment: Fragment) => number): Fragment[][] {
  const groups = new Map<number, Fragment[]>();
  for (const fragment of fragments) groups.set(key(fragment), [...(groups.get(key(fragment)) ?? []), fragment]);
  return [...groups.entries()].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function groupByWord(fragments: readonly Fragment[]): Fragment[][] {
  const words: Fragment[][] = [];
  for (const fragment of fragments) {
    words[fragment.word] ??= [];
    words[fragment.word]?.push(fragment);
  }
  return words.filter(Boolean);
}

function planWords(text: PlacedText, words: readonly Fragment[][]): Plan[] {
  return words.map((own, index) => ({ role: 'word', index, cell: cellOf(own, text), painting: { fragments: own, around: text.fragments, block: text.outer } }));
}

/** Plans all shadows, then all strokes, then all fills, because neighbouring letters overlap. */
function planLayers(text: PlacedText, parts: readonly Letter[], role: 'letter' | 'word', variants: readonly LetterVariant[] = []): Plan[] {
  const { fragments: around, outer: block, brush } = text;
  const cells = parts.map((own) => cellOf(own, text));
  const letters: Array<Omit<LetterVariant, 'variant'>> = [...parts.map((fragments, index) => ({ fragments, index })), ...variants.filter(({ pen }) => !pen)];
  const outlines = variants.filter(({ pen }) => pen !== undefined);
  return [...layersOf(brush.typography, brush.looks), 'pen' as const].flatMap((layer) =>
    (layer === 'pen' ? outlines : letters).map(({ fragments, index, pen, ...variant }) => {
      const painting = { fragments, around, block, layer, ...(pen && { pen }) };
      return { role, index, cell: cells[index] as Rect, painting, ...variant };
    }),
  );
}

/** The cell of a part; a word broken over lines has the cell of its first line. */
function cellOf(fragments: readonly Fragment[], { lines, brush, outer }: PlacedText): Rect {
  const line = fragments[0]?.line ?? 0;
  const { top, height } = lines[line] as LineBox;
  const shown = fragments.filter((fragment) => fragment.line === line && !fragment.blank);
  const rects = (shown.length > 0 ? shown : fragments).map(({ x, width }) => ({ x, y: 0, width, height }));
  const cell = { ...(unite(rects) as Rect), y: top };
  const { transform } = brush.typography;
  return transform === undefined ? cell : transformedRect(transform, outer, cell);
}

function lineBackgrounds({ fragments, lines, brush }: PlacedText): Rect[] {
  const { padding } = brush.typography;
  return [...new Set(fragments.map(({ line }) => line))].map((line) => {
    const { top, height } = lines[line] as LineBox;
    const own = fragments.filter((fragment) => fragment.line === line);
    const { x, width } = unite(own.map((fragment) => ({ x: fragment.x, y: 0, width: fragment.width, height }))) as Rect;
    // Whole pixels keep edges sharp and adjacent lines joined.
    const left = Math.round(x - padding.left);
    const above = Math.round(top - padding.top);
    const right = Math.round(x + width + padding.right);
    const below = Math.round(top + height + padding.bottom);
    return { x: left, y: above, width: right - left, height: below - above };
  });
}

/** Upper bound of the height of both rules with their gaps, in em. */
export const rulesEm = 0.35;

/** Paints rules above and below the block in the text colour. */
function* paintRules({ outer, brush }: PlacedText): Generator<PaintedPiece> {
  const { fontSize, color } = brush.typography;
  const thickness = Math.max(2, Math.round(fontSize / 40) * 2);
  const gap = Math.round(fontSize / 20) * 2;
  const tops = [outer.y - gap - thickness, outer.y + outer.height + gap];
  const shade = [color.r, color.g, color.b].map((channel) => Math.round((channel * color.a) / 255));
  for (const [index, y] of tops.entries()) {
    const at = expandToEven({ x: outer.x, y, width: outer.width, height: thickness });
    const pixels = new Uint8Array(at.width * at.height * 4);
    for (let i = 0; i < pixels.length; i += 4) pixels.set([...shade, color.a], i);
    yield { role: 'rule', index, at, bitmap: { width: at.width, height: at.height, pixels } };
  }
}
