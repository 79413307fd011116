import type { Clip, Curve, Rect } from '../../contract/index.js';
import type { Corners, DropShadow, Visual } from '../../script/index.js';
import { colorCurve } from '../color-curve.js';
import { combine, curveOf, keyframeCurve, mapCurve, sum, valueAt } from '../curves.js';
import { anchorOf } from '../motion.js';

type Depth = Pick<Clip, 'shadows' | 'perspective'>;

/** Range of the scale at which elements are drawn before they are seen in perspective. */
const MIN_SCALE = 0.05;
const MAX_SCALE = 4;

/** The glow, the drop shadows and the perspective of an element; undefined if it has none. `box`: its place on the canvas, in pixels. */
export function depthOf(element: Visual, box: Rect, frames: number, fps: number): Depth | undefined {
  const perspective = element.corners === undefined ? rotation(element, box, frames, fps) : pinned(element, element.corners, box, frames, fps);
  const shadows = [...glowOf(element, frames, fps), ...shadowsOf(element, frames, fps)];
  if (perspective === undefined && shadows.length === 0) return undefined;
  return { ...(perspective && { perspective }), ...(shadows.length > 0 && { shadows }) };
}

/** The corners of the element, or those between its keyframes at each frame. */
function pinned({ keyframes }: Visual, own: Corners, box: Rect, frames: number, fps: number): Depth['perspective'] {
  const place = (corner: number, axis: 0 | 1) => curveOf(keyframes, ({ corners }) => corners?.[corner]?.[axis], { min: -1e5, max: 1e5 }, frames, fps);
  const curves = own.map((_, corner) => [place(corner, 0), place(corner, 1)] as const);
  if (curves.some(([x]) => x === undefined)) return { map: cornerMap(box, own), scale: cornerScale(box, own) };
  const at = (frame: number) => curves.map(([x = [], y = []]) => [valueAt(x, frame), valueAt(y, frame)]) as unknown as Corners;
  const [first, end] = [curves[0]?.[0]?.[0]?.frame ?? 0, curves[0]?.[0]?.at(-1)?.frame ?? 0];
  const from = Math.max(0, Math.floor(first));
  const to = Math.min(frames, Math.ceil(end));
  const maps = Array.from({ length: Math.max(1, to - from + 1) }, (_, k) => ({ frame: from + k, map: cornerMap(box, at(from + k)) }));
  // Where the shape is not convex for a moment, the map before stays.
  const valid = maps.filter(({ map }) => map.every(Number.isFinite));
  return { maps: valid, scale: Math.max(...maps.map(({ frame }) => cornerScale(box, at(frame)))) };
}

/** A glow is a shadow without an offset, before the others. */
function glowOf({ glow, keyframes }: Visual, frames: number, fps: number): NonNullable<Depth['shadows']> {
  if (glow === undefined) return [];
  const { color, radius, intensity } = glow;
  const blur = keyframeCurve(keyframes, 'glowRadius', frames, fps) ?? radius;
  if (blur === 0) return [];
  return [
    {
      color: colorCurve(keyframes, 'glowColor', color, frames, fps),
      blur,
      intensity: keyframeCurve(keyframes, 'glowIntensity', frames, fps) ?? intensity,
    },
  ];
}

/** Of a shadow that exists in keyframes alone. */
const unseen: DropShadow = { color: { r: 0, g: 0, b: 0, a: 102 }, blur: 0, x: 0, y: 0 };

/** The shadows; keyframes change the first one. */
function shadowsOf({ dropShadows, keyframes }: Visual, frames: number, fps: number): NonNullable<Depth['shadows']> {
  const moves = keyframes.some(
    ({ shadowColor, shadowBlur, shadowX, shadowY }) => shadowColor !== undefined || shadowBlur !== undefined || shadowX !== undefined || shadowY !== undefined,
  );
  const all = dropShadows ?? (moves ? [unseen] : []);
  return all.map(({ color, blur, x, y }, index) => {
    const own = index === 0 ? keyframes : [];
    const curve = (property: 'shadowBlur' | 'shadowX' | 'shadowY', value: number) => keyframeCurve(own, property, frames, fps) ?? value;
    return {
      color: colorCurve(own, 'shadowColor', color, frames, fps),
      blur: curve('shadowBlur', blur),
      x: curve('shadowX', x),
      y: curve('shadowY', y),
    };
  });
}

function rotation(element: Visual, box: Rect, frames: number, fps: number): Depth['perspective'] {
  const { keyframes } = element;
  const distance = keyframeCurve(keyframes, 'perspective', frames, fps) ?? element.perspective;
  const anchor = anchorOf(element, frames, fps) ?? { x: 0.5, y: 0.5 };
  const curveOf = (own: number, property: 'rotateX' | 'rotateY') => {
    const moving = keyframeCurve(keyframes, property, frames, fps);
    return own === 0 ? moving : combine(moving, own, frames, sum);
  };
  const rotateX = curveOf(element.rotateX, 'rotateX');
  const rotateY = curveOf(element.rotateY, 'rotateY');
  if (rotateX === undefined && rotateY === undefined) return undefined;
  // How far the nearest edge comes towards the viewer.
  const reach = (curve: Curve) => Math.max(...valuesOf(curve).map((at) => Math.max(at, 1 - at)));
  const [reachX, reachY] = [box.width * reach(anchor.x), box.height * reach(anchor.y)];
  const near = reachY * maxSine(rotateX) + reachX * maxSine(rotateY);
  const nearest = Math.min(...valuesOf(distance));
  const scale = nearest > near ? Math.min(MAX_SCALE, nearest / (nearest - near)) : MAX_SCALE;
  return {
    scale,
    x: mapCurve(anchor.x, (x) => box.x + box.width * x),
    y: mapCurve(anchor.y, (y) => box.y + box.height * y),
    distance,
    ...(rotateX !== undefined && { rotateX }),
    ...(rotateY !== undefined && { rotateY }),
  };
}

function valuesOf(curve: Curve): number[] {
  return typeof curve === 'number' ? [curve] : curve.map(({ value }) => value);
}

/** Largest sine of the angles, in degrees, that a curve reaches. */
function maxSine(curve: Curve | undefined): number {
  if (curve === undefined) return 0;
  const largest = Math.max(...valuesOf(curve).map(Math.abs));
  return largest >= 90 ? 1 : Math.sin((largest * Math.PI) / 180);
}

function cornerScale(box: Rect, corners: Corners): number {
  const edge = (from: number, to: number) => {
    const [[ax, ay], [bx, by]] = [corners[from], corners[to]] as [[number, number], [number, number]];
    return Math.hypot(bx - ax, by - ay);
  };
  const scale = Math.max(edge(0, 1) / box.width, edge(3, 2) / box.width, edge(0, 3) / box.height, edge(1, 2) / box.height);
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}

/** The projective map that takes the corners of a rectangle to the given ones: a 3 x 3 matrix by rows. */
export function cornerMap(box: Rect, corners: Corners): number[] {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners as unknown as Array<[number, number]> as [
    [number, number],
    [number, number],
    [number, number],
    [number, number],
  ];
  // Of the unit square; see Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989.
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const divisor = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / divisor;
  const h = (dx1 * sy - sx * dy1) / divisor;
  const unit = [
    [x1 - x0 + g * x1, x3 - x0 + h * x3, x0],
    [y1 - y0 + g * y1, y3 - y0 + h * y3, y0],
    [g, h, 1],
  ] as const;
  // After the map of the rectangle onto the unit square.
  return unit.flatMap(([a, b, c]) => [a / box.width, b / box.height, c - (a * box.x) / box.width - (b * box.y) / box.height]);
}
