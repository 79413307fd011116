import type { SubtitleLook, SubtitleStyle } from '../../script/index.js';
import type { Piece } from '../../timeline/index.js';
import type { CaptionSprite, DrawnCaption } from './caption.js';
import type { Point } from './page-placement.js';
import type { FrameRange, PageSchedule, WordSchedule } from './schedule.js';
import { subtractRange } from './schedule.js';

/** Padding of boxes around words, in canvas pixels. */
export function boxPadding({ style, fontSize, outline }: Pick<SubtitleLook, 'style' | 'fontSize' | 'outline'>): Point {
  if (!style.startsWith('boxed')) return { x: 0, y: 0 };
  const along = style === 'boxed-line' ? 0.4 : 0.11;
  return { x: Math.round((fontSize * along + Math.max(0, outline.width)) / 2) * 2, y: style === 'boxed-line' ? Math.round((fontSize * 0.12) / 2) * 2 : 0 };
}

/** Pieces of a page back to front: boxes, then shadows, outlines and letters of the words. */
export function captionPieces(drawn: DrawnCaption, at: Point, schedule: PageSchedule, look: SubtitleLook): Piece[] {
  return [...boxes(drawn, at, schedule, look), ...drawn.sprites.flatMap((sprite) => spritePieces(sprite, at, schedule.words[sprite.word], isOneColor(look)))];
}

/** Returns whether highlighted words have the same colour as others. */
function isOneColor({ lineColor, wordColor }: SubtitleLook): boolean {
  return (['r', 'g', 'b', 'a'] as const).every((channel) => lineColor[channel] === wordColor[channel]);
}

function spritePieces(sprite: CaptionSprite, at: Point, word: WordSchedule | undefined, oneColor: boolean): Piece[] {
  if (word === undefined) return [];
  const { path, width, height } = sprite;
  const piece = (range: FrameRange): Piece => ({
    kind: 'sprite',
    path,
    x: at.x + sprite.x,
    y: at.y + sprite.y,
    width,
    height,
    ...timing(range),
  });
  return rangesOf(sprite.layer, word, oneColor).map(piece);
}

function rangesOf(layer: CaptionSprite['layer'], { shown, lit }: WordSchedule, oneColor: boolean): FrameRange[] {
  if (shown.end <= shown.start) return [];
  if (layer === 'word') return lit === undefined || oneColor ? [] : [lit];
  return layer === 'line' && !oneColor ? subtractRange(shown, lit) : [shown];
}

function timing({ start, end }: FrameRange): { start: number; frames: number } {
  return { start, frames: end - start };
}

const boxesOf: Readonly<Record<SubtitleStyle, 'line' | 'word' | undefined>> = {
  classic: undefined,
  'classic-progressive': undefined,
  'classic-one-word': undefined,
  'boxed-line': 'line',
  'boxed-word': 'word',
};

function boxes(drawn: DrawnCaption, at: Point, schedule: PageSchedule, look: SubtitleLook): Piece[] {
  const kind = boxesOf[look.style];
  if (kind === undefined || look.boxColor.a === 0) return [];
  const padding = boxPadding(look);
  const box = (rect: { x: number; y: number; width: number; height: number }, range: FrameRange): Piece => ({
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
  return schedule.words.flatMap(({ lit }, i) => (lit === undefined ? [] : (drawn.cells[i] ?? []).map((cell) => box(cell, lit))));
}
