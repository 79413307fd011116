import { type Color, type Length, resolveLength } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { type Images, radiiOf } from '../canvas/paint-box.js';
import { type Animate, findEasing, type Style } from '../components/index.js';
import { centreWithin, type FrameClock, frameAt, toCurve } from './curves.js';
import { extentOf } from './extent.js';
import type { Box } from './layout.js';
import { paintTree } from './paint-tree.js';
import type { ComponentPiece } from './piece.js';
import type { SpritePainter } from './sprite-painter.js';

/** Maximum total pixels of all frames of one animation; a larger box is redrawn only every few frames. */
const pixelBudget = 250_000_000;

/** Draws a box that animates to another style: one moving sprite if only position, rotation and opacity change, else a sprite for each frame. */
export async function animateBox(box: Box, painter: SpritePainter, images: Images, clock: FrameClock): Promise<ComponentPiece[]> {
  const { animate } = box.node;
  const movers = [box, ...box.children].filter(({ node }) => node.animate !== undefined);
  if (animate !== undefined && box.children.every((child) => child.node.animate === undefined) && onlyMoves(box, animate)) {
    return slide(box, animate, painter, images, clock);
  }
  const begin = Math.min(...movers.map(({ node }) => frameAt((node.animate as Animate).delayMs, clock)));
  const end = Math.max(...movers.map(({ node }) => frameAt((node.animate as Animate).delayMs + (node.animate as Animate).durationMs, clock)));
  return drawFrames(Math.max(0, Math.floor(begin)), Math.ceil(end), (frame) => boxAt(box, frame, clock), painter, images, clock);
}

/** The box and its animated children at a frame. */
function boxAt(box: Box, frame: number, clock: FrameClock): Box {
  const own = interpolateBox(box, progress(box.node.animate, frame, clock));
  return { ...own, children: box.children.map((child) => interpolateBox(child, progress(child.node.animate, frame, clock))) };
}

function progress(animate: Animate | undefined, frame: number, clock: FrameClock): number {
  if (animate === undefined) return 0;
  const [start, length] = [frameAt(animate.delayMs, clock), frameAt(animate.durationMs, clock)];
  const t = length <= 0 ? (frame >= start ? 1 : 0) : Math.min(1, Math.max(0, (frame - start) / length));
  return (findEasing(animate.easing) ?? ((x: number) => x))(t);
}

async function drawFrames(
  begin: number,
  end: number,
  at: (frame: number) => Box,
  painter: SpritePainter,
  images: Images,
  clock: FrameClock,
): Promise<ComponentPiece[]> {
  const { width, height } = extentOf(at(end), () => false);
  const step = Math.max(1, Math.ceil((width * height * (end - begin)) / pixelBudget));
  const pieces: ComponentPiece[] = [];
  const frames = [...new Set([0, ...Array.from({ length: Math.ceil((end - begin) / step) }, (_, i) => begin + i * step), end])];
  for (const [i, frame] of frames.entries()) {
    if (frame >= clock.frames) break;
    const until = Math.min(frames[i + 1] ?? clock.frames, clock.frames);
    const box = at(frame);
    const sprite = await painter.draw(
      extentOf(box, () => false),
      (context) => paintTree(context, box, images, () => false),
      frames.length,
    );
    if (sprite === undefined) continue;
    const last = pieces.at(-1);
    const same =
      last !== undefined && last.path === sprite.path && last.x === sprite.x && last.y === sprite.y && (last.start ?? 0) + (last.frames ?? 0) === frame;
    if (same) last.frames = until - (last.start ?? 0);
    else pieces.push({ kind: 'sprite', ...sprite, start: frame, frames: until - frame });
  }
  return pieces;
}

async function slide(box: Box, animate: Animate, painter: SpritePainter, images: Images, clock: FrameClock): Promise<ComponentPiece[]> {
  const style = { ...box.node.style, opacity: 1 };
  const still: Box = { ...box, node: { ...box.node, style } };
  const sprite = await painter.draw(
    extentOf(still, () => false),
    (context) => paintTree(context, still, images, () => false, { rotates: false }),
  );
  if (sprite === undefined) return [];
  const target = targetRect(box, animate.target);
  const [start, end] = [frameAt(animate.delayMs, clock), frameAt(animate.delayMs + animate.durationMs, clock)];
  const travel = (from: number, to: number) =>
    toCurve([
      { frame: start, value: from, easing: animate.easing },
      { frame: end, value: to },
    ]);
  const piece: ComponentPiece = { kind: 'sprite', ...sprite };
  if (target.x !== box.x) piece.shiftX = travel(0, target.x - box.x);
  if (target.y !== box.y) piece.shiftY = travel(0, target.y - box.y);
  const [rotation, targetRotation] = [box.node.style.rotation, animate.target.rotation];
  if (rotation !== 0 || targetRotation !== 0) Object.assign(piece, { rotation: travel(rotation, targetRotation), anchor: centreWithin(box, sprite) });
  const [opacity, targetOpacity] = [box.node.style.opacity, animate.target.opacity];
  if (opacity !== 1 || targetOpacity !== 1) piece.opacity = travel(opacity, targetOpacity);
  return [piece];
}

function onlyMoves(box: Box, { target }: Animate): boolean {
  const after = targetRect(box, target);
  if (after.width !== box.width || after.height !== box.height) return false;
  const look = ({ background, border, radii, shadows }: Style) => JSON.stringify([background, border, radii, shadows]);
  return look(target) === look(box.node.style);
}

/** Rectangle of a box under another style: insets apply to absolute boxes, other boxes keep their top left corner. */
function targetRect(box: Box, { inset, size, absolute }: Style): Rect {
  const { container: around } = box;
  const length = (key: 'width' | 'height') => {
    const own = size[key];
    return own === undefined || own === 'auto' ? undefined : resolveLength(own, around[key]);
  };
  const along = (low: 'left' | 'top', high: 'right' | 'bottom', key: 'width' | 'height', start: 'x' | 'y') => {
    const [from, to] = [inset[low], inset[high]];
    const first = absolute && from !== undefined ? around[start] + resolveLength(from, around[key]) : undefined;
    const last = absolute && to !== undefined ? around[start] + around[key] - resolveLength(to, around[key]) : undefined;
    const extent = length(key) ?? (first !== undefined && last !== undefined ? last - first : box[key]);
    return [first ?? (last === undefined ? box[start] : last - extent), extent] as const;
  };
  const [x, width] = along('left', 'right', 'width', 'x');
  const [y, height] = along('top', 'bottom', 'height', 'y');
  return { x: Math.round(x), y: Math.round(y), width: Math.max(0, Math.round(width)), height: Math.max(0, Math.round(height)) };
}

function interpolateBox(box: Box, t: number): Box {
  const { animate, style } = box.node;
  if (animate === undefined || t === 0) return box;
  const { target } = animate;
  const after = targetRect(box, target);
  const mix = (a: number, b: number) => a + (b - a) * t;
  const rect = {
    x: mix(box.x, after.x),
    y: mix(box.y, after.y),
    width: Math.max(0, mix(box.width, after.width)),
    height: Math.max(0, mix(box.height, after.height)),
  };
  const [from, to] = [radiiOf(style, box), radiiOf(target, after)];
  const mixed: Style = {
    ...style,
    opacity: Math.min(1, Math.max(0, mix(style.opacity, target.opacity))),
    rotation: mix(style.rotation, target.rotation),
    radii: style.radii.map((radius, i) => mixRadii(radius, target.radii[i] ?? radius, () => mix(from[i]?.x ?? 0, to[i]?.x ?? 0), mix)) as Style['radii'],
    background: { color: mixColors(style.background.color, target.background.color, t), layers: (t < 0.5 ? style : target).background.layers },
    shadows: t < 0.5 ? style.shadows : target.shadows,
    border: {
      ...target.border,
      widths: mapSides((side) => Math.max(0, mix(style.border.widths[side], target.border.widths[side]))),
      colors: mapSides((side) => mixColors(style.border.colors[side], target.border.colors[side], t) ?? target.border.colors[side]),
    },
  };
  return { ...box, ...rect, content: rect, node: { ...box.node, style: mixed } };
}

/** Two percentages interpolate as a percentage, so that the radius follows the box's size. */
function mixRadii(a: Length, b: Length, pixels: () => number, mix: (a: number, b: number) => number): Length {
  if ('percent' in a && 'percent' in b) return { percent: Math.max(0, mix(a.percent, b.percent)) };
  return { px: Math.max(0, pixels()) };
}

function mapSides<T>(of: (side: 'top' | 'right' | 'bottom' | 'left') => T): { top: T; right: T; bottom: T; left: T } {
  return { top: of('top'), right: of('right'), bottom: of('bottom'), left: of('left') };
}

function mixColors(from: Color | undefined, to: Color | undefined, t: number): Color | undefined {
  if (from === undefined || to === undefined) return t < 0.5 ? from : to;
  const mix = (a: number, b: number) => Math.min(255, Math.max(0, Math.round(a + (b - a) * t)));
  return { r: mix(from.r, to.r), g: mix(from.g, to.g), b: mix(from.b, to.b), a: mix(from.a, to.a) };
}
