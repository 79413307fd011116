import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { paintBox, radiiOf } from '../../../../src/graphics/canvas/paint-box.js';
import type { BoxLook } from '../../../../src/script/index.js';

const none = { top: 0, right: 0, bottom: 0, left: 0 };
const clear = { r: 0, g: 0, b: 0, a: 0 };
const look = (radii: BoxLook['radii'], border = 0): BoxLook => ({
  background: { color: { r: 255, g: 0, b: 0, a: 255 }, layers: [] },
  border: {
    widths: border === 0 ? none : { top: border, right: border, bottom: border, left: border },
    colors: { top: clear, right: clear, bottom: clear, left: clear },
    styles: { top: 'solid', right: 'solid', bottom: 'solid', left: 'solid' },
  },
  radii,
  shadows: [],
});
const rect = { x: 0, y: 0, width: 200, height: 50 };
const half: BoxLook['radii'] = [{ percent: 50 }, { percent: 50 }, { percent: 50 }, { percent: 50 }];
const round: BoxLook['radii'] = [{ px: 80 }, { px: 80 }, { px: 80 }, { px: 80 }];

function alphaAt(style: BoxLook, x: number, y: number): number {
  const canvas = createCanvas(rect.width, rect.height);
  const context = canvas.getContext('2d');
  paintBox(context, rect, style, new Map());
  return context.getImageData(x, y, 1, 1).data[3] ?? 0;
}

describe('round corners', () => {
  test('in percent are of each side, so that half of both is an ellipse', () => {
    expect(radiiOf(look(half), rect)).toEqual(Array(4).fill({ x: 100, y: 25 }));
    // On the ellipse's diagonal: within a pill, outside of an ellipse.
    expect(alphaAt(look(half), 25, 5)).toBe(0);
    expect(alphaAt(look(round), 25, 5)).toBe(255);
    expect(alphaAt(look(half), 100, 1)).toBe(255);
  });

  test('in pixels are circles that shrink alike until they fit', () => {
    expect(radiiOf(look(round), rect)).toEqual(Array(4).fill({ x: 25, y: 25 }));
  });
});
