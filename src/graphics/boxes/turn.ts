import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Rect } from '../text/bitmap.js';

/** Turns what is drawn next about a rectangle's middle. */
export function turn(context: SKRSContext2D, rect: Rect, degrees: number): void {
  const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  context.translate(x, y);
  context.rotate((degrees * Math.PI) / 180);
  context.translate(-x, -y);
}
