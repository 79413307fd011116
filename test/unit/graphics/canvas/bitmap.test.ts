import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { cropToInk } from '../../../../src/graphics/canvas/bitmap.js';

describe('cutting a drawing to its ink', () => {
  test('keeps what was drawn, on even coordinates, and lets go of the canvas', () => {
    const canvas = createCanvas(400, 200);
    const context = canvas.getContext('2d');
    context.fillStyle = '#ff8000';
    context.fillRect(101, 51, 7, 3);
    const cut = cropToInk(canvas);
    expect(cut?.at).toEqual({ x: 100, y: 50, width: 8, height: 4 });
    const pixel = (x: number, y: number) => [...(cut?.bitmap.pixels.subarray((y * 8 + x) * 4, (y * 8 + x) * 4 + 4) ?? [])];
    expect([pixel(0, 0), pixel(1, 1), pixel(7, 3)]).toEqual([
      [0, 0, 0, 0],
      [255, 128, 0, 255],
      [255, 128, 0, 255],
    ]);
    expect([canvas.width, canvas.height]).toEqual([1, 1]);
  });

  test('gives nothing for an empty drawing', () => {
    expect(cropToInk(createCanvas(20, 20))).toBeUndefined();
  });
});
