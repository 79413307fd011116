import type { Clip, Curve, PieceMotion, Rect, Section, Timeline } from '../contract/index.js';
import { mapCurve } from './curves.js';

/** Canvas size in pixels. */
export interface CanvasSize {
  width: number;
  height: number;
}

/** The canvas for a wanted width: even sides, the movie's aspect ratio, never larger than the movie. */
export function scaledCanvas({ width, height }: CanvasSize, wanted: number): CanvasSize {
  if (wanted >= width) return { width, height };
  const even = Math.max(2, 2 * Math.round(wanted / 2));
  return { width: even, height: Math.max(2, 2 * Math.round((height * even) / width / 2)) };
}

/** Scales all geometry of a timeline to a smaller canvas, so that frames are drawn at that size instead of downscaled afterwards. */
export function scaleTimeline(timeline: Timeline, { width, height }: CanvasSize): Timeline {
  const { canvas } = timeline;
  if (width === canvas.width && height === canvas.height) return timeline;
  // Rounding to even sides changes the aspect ratio slightly; the larger factor leaves no uncovered edge.
  const factor = Math.max(width / canvas.width, height / canvas.height);
  const clip = (one: Clip): Clip => scaleClip(one, factor);
  return {
    ...timeline,
    canvas: { ...canvas, width, height },
    under: timeline.under.map(clip),
    sections: timeline.sections.map((section): Section => ({ ...section, clips: section.clips.map(clip) })),
    over: timeline.over.map(clip),
  };
}

function scaleClip(clip: Clip, factor: number): Clip {
  return {
    ...clip,
    box: scaleRect(clip.box, factor),
    ...(clip.clip && { clip: scaleRect(clip.clip, factor) }),
    ...(clip.x !== undefined && { x: scaleCurve(clip.x, factor) }),
    ...(clip.y !== undefined && { y: scaleCurve(clip.y, factor) }),
    ...(clip.piece && { piece: scalePiece(clip.piece, factor) }),
    ...(clip.cornerRadius !== undefined && { cornerRadius: scaleCurve(clip.cornerRadius, factor) }),
    ...(clip.blur !== undefined && { blur: scaleCurve(clip.blur, factor) }),
    ...(clip.perspective && { perspective: scalePerspective(clip.perspective, factor) }),
    ...(clip.shadows && { shadows: clip.shadows.map((shadow) => scaleShadow(shadow, factor)) }),
    ...(clip.clips && { clips: clip.clips.map((member) => scaleClip(member, factor)) }),
  };
}

function scalePiece(piece: PieceMotion, factor: number): PieceMotion {
  return {
    ...piece,
    ...(piece.x !== undefined && { x: scaleCurve(piece.x, factor) }),
    ...(piece.y !== undefined && { y: scaleCurve(piece.y, factor) }),
  };
}

type Perspective = NonNullable<Clip['perspective']>;
type Shadow = NonNullable<Clip['shadows']>[number];

function scalePerspective({ x = 0, y = 0, distance = 1000, map, maps, ...rest }: Perspective, factor: number): Perspective {
  // Entries of the matrix that give pixels grow, those that divide pixels shrink.
  const powers = [0, 0, 1, 0, 0, 1, -1, -1, 0];
  const scaled = (one: readonly number[]) => one.map((value, index) => value * factor ** (powers[index] ?? 0));
  return {
    ...rest,
    x: scaleCurve(x, factor),
    y: scaleCurve(y, factor),
    distance: scaleCurve(distance, factor),
    ...(map && { map: scaled(map) }),
    ...(maps && { maps: maps.map(({ frame, map: one }) => ({ frame, map: scaled(one) })) }),
  };
}

function scaleShadow({ blur = 0, x = 0, y = 0, ...rest }: Shadow, factor: number): Shadow {
  return { ...rest, blur: scaleCurve(blur, factor), x: scaleCurve(x, factor), y: scaleCurve(y, factor) };
}

function scaleRect({ x, y, width, height }: Rect, factor: number): Rect {
  return { x: x * factor, y: y * factor, width: width * factor, height: height * factor };
}

function scaleCurve(curve: Curve, factor: number): Curve {
  return mapCurve(curve, (value) => value * factor);
}
