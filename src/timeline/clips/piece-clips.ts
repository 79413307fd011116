import type { Clip, Keyframe, PieceMotion, Rect, Reveal } from '../../contract/index.js';
import type { Span, Visual } from '../../script/index.js';
import { animatedBlur, type ElementAnimation, elementAnimation, partOfReveal } from '../animation/element-animation.js';
import { colorCurve, formatColor } from '../color-curve.js';
import { combine, mapCurve, product } from '../curves.js';
import { anchorOf, elementMotion, elementOpacity } from '../motion.js';
import type { Piece } from '../piece.js';
import { depthOf } from './depth.js';
import { pixelEffects } from './effects.js';
import { type ClipContext, cropWindow, gradeOf, maskOf } from './media-clip.js';
import { clipTiming, fadeFrames } from './span.js';

/**
 * Clips of an element that is drawn in pieces: each piece has its own motion within the motion of the element. Those of an element with drop
 * shadows or perspective are members of one group.
 */
export function pieceClips(element: Visual, pieces: readonly Piece[], box: Rect, span: Span, context: ClipContext): Clip[] {
  const { fps } = context;
  // Pieces are not clipped to the element's box, so the clip rectangle of a zoom or pan is dropped.
  const content = contentOf(pieces, box, element);
  const animation = elementAnimation(element, content, span.frames, context);
  const { clip: _clip, ...motion } = elementMotion(element, box, span.frames, fps, animation.motion);
  const depth = pieces.length === 0 ? undefined : depthOf(element, element.width > 0 && element.height > 0 ? box : content, span.frames, fps);
  const { x, y, ...inPlane } = motion;
  const placed = { content, animation, own: elementMotion(element, box, span.frames, fps), motion: depth === undefined ? motion : inPlane };
  if (depth === undefined) {
    const opacity = (piece: Piece) => elementOpacity(element, span.frames, fps, combine(piece.opacity, animation.opacity, span.frames, product));
    return pieces.flatMap((piece) =>
      pieceClip(piece, element, box, span, context, placed, { ...fadeFrames(element, fps), ...pixelEffects(element, span.frames, fps) }, opacity(piece)),
    );
  }
  // The whole group moves, fades and is blended; its shadows are those of all pieces together.
  const { blend, ...effects } = pixelEffects(element, span.frames, fps);
  const opacity = elementOpacity(element, span.frames, fps);
  const members = pieces.flatMap((piece) =>
    pieceClip(piece, element, box, span, context, placed, effects, combine(piece.opacity, animation.opacity, span.frames, product)),
  );
  if (members.length === 0) return [];
  return [
    {
      clips: members.map((clip) => ({ ...clip, start: clip.start - span.startFrame })),
      ...clipTiming(span),
      box: content,
      ...(x === undefined ? {} : { x }),
      ...(y === undefined ? {} : { y }),
      ...fadeFrames(element, fps),
      ...(blend === undefined ? {} : { blend }),
      ...(effects.motionBlur === undefined ? {} : { motionBlur: effects.motionBlur }),
      ...(opacity === undefined ? {} : { opacity }),
      ...depth,
    },
  ];
}

const WHITE = { r: 255, g: 255, b: 255, a: 255 };

/** What all pieces of an element have in common. */
interface PlacedElement {
  /** Where it is visible on the canvas. */
  content: Rect;
  animation: ElementAnimation;
  /** Its motion without the animation. */
  own: Partial<Clip>;
  /** The motion that pieces take over. */
  motion: Partial<Clip>;
}

function pieceClip(
  piece: Piece,
  element: Visual,
  box: Rect,
  span: Span,
  context: ClipContext,
  { content, animation, own, motion }: PlacedElement,
  effects: Partial<Clip>,
  opacity: Clip['opacity'] | undefined,
): Clip[] {
  const stretch = pieceTiming(piece, span);
  if (stretch.frames < 1) return [];
  // Without other motion, an animation scales and rotates about the visible content instead of the box, which may be the whole canvas.
  const [anchor, around] =
    Object.keys(own).length === 0 && element.animate !== undefined
      ? [anchorOf(element, span.frames, context.fps) ?? centre, content]
      : [motion.anchor ?? centre, box];
  const isStill = Object.keys(motion).length === 0;
  const at = placeIn(piece, box, element);
  const moved = pieceMotion(piece, element);
  const hidden = pieceReveal(piece, element);
  const reveal = animation.reveal === undefined ? hidden : partOfReveal(animation.reveal, content, at, span.frames, hidden);
  const clip: Clip = {
    ...sourceOf(piece, element, context, span.frames),
    ...stretch,
    box: at,
    ...motion,
    ...(isStill ? {} : { anchor: anchorOn(anchor, around, at) }),
    ...effects,
    ...animatedBlur(element, piece.blur ?? animation.blur, span.frames, context.fps),
    ...gradeOf(element, span.frames, context),
    ...(piece.tint === undefined ? maskOf(element, context, fractionsOf(at, box)) : {}),
    ...(opacity === undefined ? {} : { opacity }),
    ...(moved === undefined ? {} : { piece: moved }),
    ...(reveal === undefined ? {} : { reveal }),
    // A clip rectangle is fixed on the canvas, so a moving element cannot have one.
    ...(isStill ? windowIn(piece, box, element) : {}),
    ...(piece.cornerRadius ? { cornerRadius: piece.cornerRadius } : {}),
    ...(piece.media === undefined ? {} : { media: piece.media }),
  };
  return [shiftCurves(clip, stretch.start - span.startFrame, stretch, span)];
}

const centre = { x: 0.5, y: 0.5 };

/** The rectangle of all pieces on the canvas; of none, the box. */
function contentOf(pieces: readonly Piece[], box: Rect, element: Visual): Rect {
  if (pieces.length === 0) return box;
  const rects = pieces.map((piece) => placeIn(piece, box, element));
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  return { x, y, width: Math.max(...rects.map((rect) => rect.x + rect.width)) - x, height: Math.max(...rects.map((rect) => rect.y + rect.height)) - y };
}

function windowIn(piece: Piece, box: Rect, element: Visual): Pick<Clip, 'clip'> {
  const own = piece.clip === undefined ? undefined : placeIn(piece.clip, box, element);
  const elementCrop = element.crop === undefined ? undefined : cropWindow(element.crop, box);
  const window = own && elementCrop ? overlap(own, elementCrop) : (own ?? elementCrop);
  return window === undefined ? {} : { clip: window };
}

function overlap(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  // The schema does not allow empty rectangles.
  const width = Math.max(1e-3, Math.min(a.x + a.width, b.x + b.width) - x);
  const height = Math.max(1e-3, Math.min(a.y + a.height, b.y + b.height) - y);
  return { x, y, width, height };
}

function fractionsOf(part: Rect, box: Rect): Rect {
  return { x: (part.x - box.x) / box.width, y: (part.y - box.y) / box.height, width: part.width / box.width, height: part.height / box.height };
}

/** A white sprite in a changing colour is the mask of a fill. */
function sourceOf(piece: Piece, element: Visual, { sources, fps }: ClipContext, frames: number): Pick<Clip, 'source' | 'fill' | 'mask'> {
  if (piece.kind === 'fill') return { fill: formatColor(piece.color) };
  const source = sources.use(piece.kind, piece.path, element.path);
  if (piece.tint === undefined) return { source };
  return { fill: colorCurve(element.keyframes, piece.tint, WHITE, frames, fps), mask: { source } };
}

function pieceTiming(piece: Piece, span: Span): { start: number; frames: number } {
  const from = Math.min(piece.start ?? 0, span.frames);
  return { start: span.startFrame + from, frames: Math.min(piece.frames ?? Infinity, span.frames - from) };
}

/** Converts the element's curves and fades to those of a clip that covers only part of the element's time. */
function shiftCurves(clip: Clip, by: number, stretch: { frames: number }, span: Span): Clip {
  if (by === 0 && stretch.frames === span.frames) return clip;
  const moved = shifted(clip, by) as Clip;
  if (by > 0 && moved.fadeIn !== undefined) moved.fadeIn = Math.max(0, moved.fadeIn - by);
  const after = span.frames - by - stretch.frames;
  if (moved.fadeOut !== undefined) moved.fadeOut = Math.max(0, moved.fadeOut - after);
  if (moved.fadeIn === 0) delete moved.fadeIn;
  if (moved.fadeOut === 0) delete moved.fadeOut;
  return moved;
}

function shifted(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((key: Keyframe) => ({ ...key, frame: key.frame - by }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shifted(part, by)]));
}

/** The piece's rectangle on the canvas, mirrored within the box of a flipped element. */
function placeIn(piece: Rect, box: Rect, element: Visual): Rect {
  const x = element.flipHorizontal ? box.width - piece.x - piece.width : piece.x;
  const y = element.flipVertical ? box.height - piece.y - piece.height : piece.y;
  return { x: box.x + x, y: box.y + y, width: piece.width, height: piece.height };
}

/** The piece's motion within its element, mirrored in a flipped element. */
function pieceMotion(piece: Piece, { flipHorizontal, flipVertical }: Visual): PieceMotion | undefined {
  const { shiftX, shiftY, scaleX, scaleY, rotation, anchor } = piece;
  if (!shiftX && !shiftY && !scaleX && !scaleY && !rotation) return undefined;
  const mirrored = (curve: Keyframe[], flip: boolean) => (flip ? curve.map((key) => ({ ...key, value: -key.value })) : curve);
  return {
    ...(anchor && { anchor: { x: flipHorizontal ? 1 - anchor.x : anchor.x, y: flipVertical ? 1 - anchor.y : anchor.y } }),
    ...(shiftX && { x: mirrored(shiftX, flipHorizontal) }),
    ...(shiftY && { y: mirrored(shiftY, flipVertical) }),
    ...(scaleX && { scaleX }),
    ...(scaleY && { scaleY }),
    ...(rotation && { rotation: mirrored(rotation, flipHorizontal !== flipVertical) }),
  };
}

function pieceReveal({ reveal }: Piece, { flipHorizontal, flipVertical }: Visual): Reveal | undefined {
  if (reveal === undefined) return undefined;
  const { left, right, top, bottom } = reveal;
  return {
    ...(flipHorizontal ? { ...(right && { left: right }), ...(left && { right: left }) } : { ...(left && { left }), ...(right && { right }) }),
    ...(flipVertical ? { ...(bottom && { top: bottom }), ...(top && { bottom: top }) } : { ...(top && { top }), ...(bottom && { bottom }) }),
  };
}

/** The element's anchor in fractions of a piece, so that all pieces rotate and scale about the same point. */
function anchorOn(anchor: NonNullable<Clip['anchor']>, box: Rect, at: Rect): NonNullable<Clip['anchor']> {
  return {
    x: mapCurve(anchor.x, (x) => (box.x + box.width * x - at.x) / at.width),
    y: mapCurve(anchor.y, (y) => (box.y + box.height * y - at.y) / at.height),
  };
}
