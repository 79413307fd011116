import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Images, paintBox, radiiOf } from '../box-paint/paint-box.js';
import { createCanvas } from '../skia.js';
import type { Box } from './lay-out.js';
import { parsePoints } from './polygon.js';
import { turn } from './turn.js';

/** A box's background with its children punched out of it. */
export function paintCutout(context: SKRSContext2D, box: Box, images: Images): void {
  const layer = createCanvas(context.canvas.width, context.canvas.height);
  const inner = layer.getContext('2d');
  inner.setTransform(context.getTransform());
  paintBox(inner, box, box.node.style, images);
  inner.globalCompositeOperation = 'destination-out';
  inner.fillStyle = '#000';
  for (const hole of box.children) {
    inner.save();
    turn(inner, hole, hole.node.style.rotation);
    traceHole(inner, hole);
    inner.fill();
    inner.restore();
  }
  context.save();
  context.resetTransform();
  context.drawImage(layer, 0, 0);
  context.restore();
}

function traceHole(context: SKRSContext2D, hole: Box): void {
  const { x, y, width, height, node } = hole;
  const shape = String(node.values.shape ?? 'ellipse');
  context.beginPath();
  if (shape === 'rect' || shape === 'rectangle') {
    context.roundRect(x, y, width, height, radiiOf(node.style, hole));
  } else if (shape === 'polygon') {
    for (const [i, [px, py]] of parsePoints(String(node.values.points ?? '')).entries()) {
      const at = [x + (px * width) / 100, y + (py * height) / 100] as const;
      i === 0 ? context.moveTo(...at) : context.lineTo(...at);
    }
    context.closePath();
  } else {
    const radius = Math.min(width, height) / 2;
    const [rx, ry] = shape === 'circle' ? [radius, radius] : [width / 2, height / 2];
    context.ellipse(x + width / 2, y + height / 2, rx, ry, 0, 0, 2 * Math.PI);
  }
}
