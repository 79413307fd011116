import type { SubtitleLook, SubtitleStyle } from '../../script/index.js';
import type { Piece } from '../../timeline/index.js';
import type { Rect } from '../canvas/bitmap.js';
import type { CaptionSprite, CaptionWord, DrawnCaption } from './caption.js';
import { boxMotion, fillMotion, glowOf, type MovingWord, wordMotion } from './caption-motion.js';
import type { Point } from './page-placement.js';
import type { FrameRange, PageSchedule, WordSchedule } from './schedule.js';
import { subtractRange } from './schedule.js';

/** Padding of boxes around words, in canvas pixels. */
export function boxPadding({ style, fontSize, outline }: Pick<SubtitleLook, 'style' | 'fontSize' | 'outline'>): Point {
  if (style === 'box-slide') return { x: Math.round((fontSize * 0.16) / 2) * 2, y: Math.round((fontSize * 0.04) / 2) * 2 };
  if (!style.startsWith('boxed')) return { x: 0, y: 0 };
  const along = style === 'boxed-line' ? 0.4 : 0.11;
  return { x: Math.round((fontSize * along + Math.max(0, outline.width)) / 2) * 2, y: style === 'boxed-line' ? Math.round((fontSize * 0.12) / 2) * 2 : 0 };
}

/** A page that is turned into pieces. */
interface PageContext {
  schedule: PageSchedule;
  look: SubtitleLook;
  fps: number;
  words: readonly CaptionWord[];
}

/** Pieces of a page back to front: boxes, glows, then shadows, outlines and letters of the words. */
export function captionPieces(drawn: DrawnCaption, at: Point, page: PageContext): Piece[] {
  return [
    ...boxes(drawn, at, page),
    ...drawn.sprites.flatMap((sprite) => glowPieces(sprite, at, page)),
    ...drawn.sprites.flatMap((sprite) => spritePieces(sprite, at, page)),
  ];
}

/** Returns whether highlighted words have the same colour as others. */
function isOneColor({ lineColor, wordColor }: SubtitleLook): boolean {
  return (['r', 'g', 'b', 'a'] as const).every((channel) => lineColor[channel] === wordColor[channel]);
}

function spritePieces(sprite: CaptionSprite, at: Point, page: PageContext): Piece[] {
  const word = page.schedule.words[sprite.word];
  if (word === undefined) return [];
  const moving = movingWord(sprite, word, page);
  const motion = { ...wordMotion(page.look.style, moving), ...(isFilled(sprite, page) && fillMotion(moving)) };
  return rangesOf(sprite, word, page).map((range) => ({ ...spritePiece(sprite, at, range), ...motion }));
}

/** The spoken word of the style glow, blurred behind itself, twice to be bright. */
function glowPieces(sprite: CaptionSprite, at: Point, page: PageContext): Piece[] {
  const word = page.schedule.words[sprite.word];
  if (page.look.style !== 'glow' || sprite.layer !== 'word' || word?.lit === undefined) return [];
  const moving = movingWord(sprite, word, page);
  const piece = { ...spritePiece(sprite, at, word.lit), ...wordMotion(page.look.style, moving), ...glowOf(moving) };
  return [piece, piece];
}

function movingWord({ word: index, rightToLeft, width }: CaptionSprite, word: WordSchedule, { schedule, look, fps, words }: PageContext): MovingWord {
  return { schedule, word, fontSize: look.fontSize, fps, isLarge: words[index]?.style.large === true, rightToLeft, width };
}

function spritePiece({ path, x, y, width, height }: CaptionSprite, at: Point, range: FrameRange): Piece {
  return { kind: 'sprite', path, x: at.x + x, y: at.y + y, width, height, ...timing(range) };
}

const isFilled = ({ layer }: CaptionSprite, { look }: PageContext): boolean => look.style === 'karaoke-fill' && layer === 'word';

function rangesOf(sprite: CaptionSprite, { shown, lit }: WordSchedule, page: PageContext): FrameRange[] {
  const { layer } = sprite;
  const { style } = page.look;
  const oneColor = isOneColor(page.look) && style !== 'gradient';
  if (shown.end <= shown.start) return [];
  // A filled word stays filled, and its unfilled letters stay behind it.
  if (style === 'karaoke-fill') return layer !== 'word' ? [shown] : lit === undefined ? [] : [{ start: lit.start, end: shown.end }];
  if (style === 'box-slide' && layer === 'outline') return subtractRange(shown, lit);
  if (layer === 'word') return lit === undefined || oneColor ? [] : [lit];
  return layer === 'line' && !oneColor ? subtractRange(shown, lit) : [shown];
}

function timing({ start, end }: FrameRange): { start: number; frames: number } {
  return { start, frames: end - start };
}

const boxesOf: Readonly<Partial<Record<SubtitleStyle, 'line' | 'word'>>> = { 'boxed-line': 'line', 'boxed-word': 'word', 'box-slide': 'word' };

function boxes(drawn: DrawnCaption, at: Point, { schedule, look, fps }: PageContext): Piece[] {
  const kind = boxesOf[look.style];
  if (kind === undefined || look.boxColor.a === 0) return [];
  const padding = boxPadding(look);
  const box = (rect: Rect, range: FrameRange): Piece => ({
    kind: 'fill',
    color: look.boxColor,
    cornerRadius: Math.round(look.fontSize * 0.18),
    // Whole pixels keep the edges sharp.
    x: Math.round(at.x + rect.x - padding.x),
    y: Math.round(at.y + rect.y - padding.y),
    width: Math.round(rect.width + 2 * padding.x),
    height: Math.round(rect.height + 2 * padding.y),
    ...timing(range),
  });
  if (kind === 'line') return [box({ x: 0, y: 0, width: drawn.width, height: drawn.height }, schedule.shown)];
  let before: Piece | undefined;
  return schedule.words.flatMap(({ lit }, i) => {
    if (lit === undefined) return [];
    return (drawn.cells[i] ?? []).map((cell) => {
      const piece = box(cell, lit);
      const moved = look.style === 'box-slide' ? { ...piece, ...boxMotion(piece, before?.y === piece.y ? before : undefined, lit.start, fps) } : piece;
      before = piece;
      return moved;
    });
  });
}
