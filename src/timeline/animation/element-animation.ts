import type { Clip, Curve, Keyframe, PieceMotion, Rect, Reveal } from '../../contract/index.js';
import type { Visual } from '../../script/index.js';
import { combine, keyframeCurve, quadrature, valueAt } from '../curves.js';
import { planPhases } from './phases.js';
import { hiddenFraction, lengthAlong, sides } from './reveal.js';
import { partTracks, type Tracks } from './tracks.js';

/** Motion of a whole element from its `animate`; absent: none. */
export interface ElementAnimation {
  motion: Pick<Clip, 'x' | 'y' | 'scale' | 'rotation'>;
  opacity?: Keyframe[];
  blur?: Keyframe[];
  reveal?: Reveal;
  /** Scale in one direction only. */
  flip?: PieceMotion;
}

/** Compiles `animate` of an element that moves as a whole. `content`: where it is visible on the canvas, in pixels. */
export function elementAnimation(
  element: Visual,
  content: Rect,
  frames: number,
  { fps, movie: canvas }: { fps: number; movie: { width: number; height: number } },
): ElementAnimation {
  const { animate } = element;
  if (animate === undefined) return { motion: {} };
  const phases = planPhases(animate, { in: 1, out: 1, loop: 1 }, frames, fps);
  const { x, y, scaleX, scaleY, rotation, opacity, blur, ...hidden } = partTracks(animate, phases, { in: 0, out: 0, loop: 0 }, fps, { rect: content, canvas });
  const flips = [animate.in, animate.out].some((phase) => phase?.type === 'flip');
  const reveal = hidden as Reveal;
  return {
    motion: { ...(x && { x }), ...(y && { y }), ...(rotation && { rotation }), ...(scaleX && !flips && { scale: scaleX }) },
    ...(opacity && { opacity }),
    ...(blur && { blur }),
    ...(Object.keys(hidden).length > 0 && { reveal }),
    ...(flips && { flip: { ...(scaleX && { scaleX }), ...(scaleY && { scaleY }) } }),
  };
}

/** The blur of an element together with its keyframes and its animation; absent: constant. */
export function animatedBlur(element: Pick<Visual, 'blur' | 'keyframes'>, animation: Curve | undefined, frames: number, fps: number): { blur?: Curve } {
  const moving = combine(keyframeCurve(element.keyframes, 'blur', frames, fps), animation, frames, quadrature);
  if (moving === undefined) return {};
  const blur = element.blur === 0 ? moving : combine(moving, element.blur, frames, quadrature);
  return blur === undefined ? {} : { blur };
}

/** The reveal of one piece of an element, from the reveal of the whole element and the piece's own. */
export function partOfReveal(whole: Reveal, content: Rect, piece: Rect, frames: number, own: Reveal | undefined): Reveal {
  const part: Tracks = {};
  for (const side of sides) {
    const [curve, ownCurve] = [whole[side], own?.[side]];
    if (curve === undefined) {
      if (Array.isArray(ownCurve)) part[side] = ownCurve;
      continue;
    }
    part[side] = Array.from({ length: frames + 1 }, (_, frame) => {
      const hidden = hiddenFraction(side, valueAt(curve, frame) * lengthAlong(side, content), content, piece);
      return { frame, value: Math.max(hidden, ownCurve === undefined ? 0 : valueAt(ownCurve, frame)) };
    });
  }
  return part as Reveal;
}
