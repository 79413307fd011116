import type { Canvas, Path2D, SKRSContext2D } from '@napi-rs/canvas';
import { inheritGradient } from '../canvas/gradient-canvases.js';
import { cssColor } from '../canvas/gradients.js';
import { type Images, paintBox, radiiOf, tracePath } from '../canvas/paint-box.js';
import { createCanvas, createPath } from '../canvas/skia.js';
import { densityOf } from '../canvas/surface.js';
import { drawText } from '../text/paint.js';
import { paintPlot } from './charts/plot.js';
import type { Box } from './layout.js';
import { paintCutout, paintPolygon, rotateAbout } from './shapes.js';

/** Returns whether a box is drawn as a separate piece because it moves. */
export type IsSeparate = (box: Box) => boolean;

/** Draws a box and all descendants that are not separate pieces. */
export function paintTree(
  context: SKRSContext2D,
  box: Box,
  images: Images,
  isSeparate: IsSeparate,
  options: { rotates: boolean; alone?: boolean } = { rotates: true },
): void {
  const { style } = box.node;
  if (style.opacity < 1) {
    paintTranslucent(context, box, images, isSeparate, options);
    return;
  }
  context.save();
  if (options.rotates && style.rotation !== 0) rotateAbout(context, box, style.rotation);
  paintOwn(context, box, images);
  if (options.alone !== true) {
    if (style.clips) {
      tracePath(context, box, radiiOf(style, box));
      context.clip();
    }
    for (const child of box.children) if (!isSeparate(child)) paintTree(context, child, images, isSeparate);
  }
  context.restore();
}

/** Overlapping parts of a translucent box must not show through each other. */
function paintTranslucent(context: SKRSContext2D, box: Box, images: Images, isSeparate: IsSeparate, options: { rotates: boolean; alone?: boolean }): void {
  if (box.node.style.opacity <= 0) return;
  const layer = createCanvas(context.canvas.width, context.canvas.height);
  const inner = layer.getContext('2d');
  inner.setTransform(context.getTransform());
  const solid = { ...box, node: { ...box.node, style: { ...box.node.style, opacity: 1 } } };
  paintTree(inner, solid, images, isSeparate, options);
  context.save();
  context.resetTransform();
  context.globalAlpha = box.node.style.opacity;
  context.drawImage(layer as Canvas, 0, 0);
  inheritGradient(context, layer);
  context.restore();
}

function paintOwn(context: SKRSContext2D, box: Box, images: Images): void {
  const { node } = box;
  if (node.kind === 'polygon') paintPolygon(context, box);
  else if (node.kind === 'cutout') paintCutout(context, box, images);
  else paintBox(context, box, node.style, images);
  if (node.kind === 'path') paintPath(context, box);
  if (node.kind === 'plot') paintPlot(context, box);
  if (box.text !== undefined && node.kind === 'text' && node.split === undefined) {
    const drawn = drawText({ fragments: box.text.fragments, block: box }, box.text.brush, densityOf(context));
    if (drawn) {
      context.drawImage(drawn.canvas, drawn.at.x, drawn.at.y, drawn.at.width, drawn.at.height);
      inheritGradient(context, drawn.canvas);
    }
  }
}

function paintPath(context: SKRSContext2D, box: Box): void {
  const { path, style } = box.node;
  if (path === undefined) return;
  const { content } = box;
  // Canvas shadows ignore the transform and use surface pixels.
  const density = densityOf(context);
  context.save();
  context.translate(content.x, content.y);
  context.scale(content.width / 100, content.height / 100);
  const shape = createPath(path.data);
  const { color, shadows, stroke } = style.typography;
  const [shadow] = shadows;
  if (shadow !== undefined) {
    context.shadowColor = cssColor(shadow.color);
    context.shadowBlur = shadow.blur * density;
    context.shadowOffsetX = shadow.x * density;
    context.shadowOffsetY = shadow.y * density;
  }
  if (path.share < 1 && path.off.a > 0) {
    context.fillStyle = cssColor(path.off);
    context.fill(shape);
  }
  context.save();
  context.beginPath();
  // The clip extends beyond the square so that anti-aliased edges are not cut off.
  context.rect(-20, -20, path.share >= 1 ? 140 : 20 + path.share * 100, 140);
  context.clip();
  context.fillStyle = cssColor(color);
  if (path.share > 0) context.fill(shape);
  context.restore();
  // The unfilled part is shown by an outline.
  if (path.share < 1 && path.off.a === 0) outline(context, shape, cssColor(color), 5);
  if (stroke !== undefined) outline(context, shape, cssColor(stroke.color), (stroke.width * 100) / Math.max(1, content.width));
  context.restore();
}

function outline(context: SKRSContext2D, shape: Path2D, color: string, width: number): void {
  context.shadowColor = 'transparent';
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.stroke(shape);
}
