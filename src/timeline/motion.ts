import type { Clip, Curve, Keyframe, Rect } from '../contract/index.js';
import type { Pan, Visual } from '../script/index.js';
import type { ElementAnimation } from './animation/element-animation.js';
import { combine, keyframeCurve, product, sum } from './curves.js';

type Motion = Pick<Clip, 'scale' | 'x' | 'y' | 'rotation' | 'skewX' | 'skewY' | 'anchor' | 'clip'>;

/** Scale added per unit of `zoom`. */
const ZOOM_STEP = 0.1;

/** Zoom, pan, rotation, keyframes and the animation of an element as curves over its `frames`. */
export function elementMotion(element: Visual, box: Rect, frames: number, fps: number, animation: ElementAnimation['motion'] = {}): Motion {
  const motion: Motion = { ...zoomMotion(element, frames), ...(element.zoom === 0 ? panMotion(element, box, frames) : {}) };
  const rotation = rotationCurve(element, fps);
  if (rotation !== undefined) motion.rotation = rotation;
  const zooms = motion.scale !== undefined || motion.x !== undefined || motion.y !== undefined;
  const hasKeyframes = addCurves(motion, (property) => keyframeCurve(element.keyframes, property, frames, fps), frames);
  const hasAnimation = addCurves(motion, (property) => animation[property], frames);
  const hasSkew = addSkew(motion, element, frames, fps);
  const moves = hasKeyframes || hasAnimation || hasSkew;
  const anchor = anchorOf(element, frames, fps);
  if (anchor !== undefined && (motion.scale !== undefined || motion.rotation !== undefined || hasSkew)) motion.anchor = anchor;
  // A zooming or panning element is clipped to its box; one that rotates or moves must not be clipped to its original place.
  if (zooms && !moves && rotation === undefined && (element.panCrop || element.zoom !== 0)) motion.clip = box;
  return motion;
}

/** The largest scale factor an element reaches over its time. */
export function maxScale({ zoom, pan, panCrop, panDistance, keyframes, animate }: Visual): number {
  const moved = zoom !== 0 ? zoomScale(zoom) : pan !== undefined && panCrop ? 1 + panDistance : 1;
  const own = keyframes.flatMap(({ scale }) => (scale === undefined ? [] : [Math.abs(scale)]));
  return moved * (own.length === 0 ? 1 : Math.max(...own)) * maxAnimatedScale(animate);
}

function maxAnimatedScale(animate: Visual['animate']): number {
  const sizes = [animate?.in, animate?.out].map((phase) => (phase?.type === 'scale' || phase?.type === 'pop' ? (phase.amount ?? 1) : 1));
  const pulse = animate?.loop?.type === 'pulse' ? 1 + (animate.loop.amount ?? 0) : 1;
  return Math.max(1, pulse, ...sizes);
}

function addSkew(motion: Motion, element: Visual, frames: number, fps: number): boolean {
  let leans = false;
  for (const axis of ['skewX', 'skewY'] as const) {
    const own = element[axis];
    const moving = keyframeCurve(element.keyframes, axis, frames, fps);
    if (own === 0 && moving === undefined) continue;
    leans = true;
    motion[axis] = combine(moving, own, frames, limitedSum) ?? own;
  }
  return leans;
}

/** The anchor over the element's time; undefined if nothing sets it. */
export function anchorOf({ anchor: own, keyframes }: Visual, frames: number, fps: number): Clip['anchor'] {
  const x = keyframeCurve(keyframes, 'anchorX', frames, fps);
  const y = keyframeCurve(keyframes, 'anchorY', frames, fps);
  if (x === undefined && y === undefined) return own;
  return { x: x ?? own?.x ?? 0.5, y: y ?? own?.y ?? 0.5 };
}

/** Near 90 degrees nothing would be left. */
const MAX_SKEW = 85;
const limitedSum = (a: number, b: number): number => Math.min(MAX_SKEW, Math.max(-MAX_SKEW, a + b));

type MovingProperty = 'x' | 'y' | 'scale' | 'rotation';

/** Combines curves into an element's other motion; returns whether there are any. */
function addCurves(motion: Motion, curveOf: (property: MovingProperty) => Curve | undefined, frames: number): boolean {
  let moves = false;
  for (const property of ['x', 'y', 'scale', 'rotation'] as const) {
    const own = curveOf(property);
    if (own === undefined) continue;
    moves = true;
    const curve = combine(motion[property], own, frames, property === 'scale' ? product : sum);
    if (curve !== undefined) motion[property] = curve;
  }
  return moves;
}

/** The element's opacity over its time; undefined when opaque. */
export function elementOpacity(element: Visual, frames: number, fps: number, piece?: Curve): Curve | undefined {
  const own = combine(keyframeCurve(element.keyframes, 'opacity', frames, fps), piece, frames, product);
  return element.opacity === 1 ? own : combine(own, element.opacity, frames, product);
}

const zoomScale = (zoom: number): number => 1 + Math.abs(zoom) * ZOOM_STEP;

function zoomMotion(element: Visual, frames: number): Motion {
  if (element.zoom === 0) return {};
  const far = zoomScale(element.zoom);
  const scale = element.zoom > 0 ? linearCurve(frames, 1, far) : linearCurve(frames, far, 1);
  if (element.pan === undefined) return { scale };
  const [horizontal, vertical] = direction(element.pan);
  return { scale, anchor: { x: (1 + horizontal) / 2, y: (1 + vertical) / 2 } };
}

/** The view moves towards `pan`, so the content moves the opposite way. */
function panMotion(element: Visual, box: Rect, frames: number): Motion {
  if (element.pan === undefined) return {};
  const [horizontal, vertical] = direction(element.pan);
  const reach = element.panDistance / 2;
  const motion: Motion = {};
  if (element.panCrop) motion.scale = 1 + element.panDistance;
  if (horizontal !== 0) motion.x = linearCurve(frames, horizontal * reach * box.width, -horizontal * reach * box.width);
  if (vertical !== 0) motion.y = linearCurve(frames, vertical * reach * box.height, -vertical * reach * box.height);
  return motion;
}

function rotationCurve(element: Visual, fps: number): Clip['rotation'] | undefined {
  const rotate = element.rotate;
  if (rotate === undefined || rotate.angle === 0) return undefined;
  if (rotate.speed <= 0) return rotate.angle;
  return linearCurve(rotate.speed * fps, 0, rotate.angle);
}

function direction(pan: Pan): [horizontal: number, vertical: number] {
  const horizontal = pan.endsWith('left') ? -1 : pan.endsWith('right') ? 1 : 0;
  const vertical = pan.startsWith('top') ? -1 : pan.startsWith('bottom') ? 1 : 0;
  return [horizontal, vertical];
}

/** Constant speed; reaches `to` at the frame after the last. */
function linearCurve(frames: number, from: number, to: number): Keyframe[] {
  return [
    { frame: 0, value: from },
    { frame: frames, value: to },
  ];
}
