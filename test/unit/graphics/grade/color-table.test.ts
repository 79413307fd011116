import { describe, expect, it } from 'vitest';
import { foldGrade, parseCube } from '../../../../src/graphics/index.js';

type Rgb = readonly [number, number, number];

/** The value of a vertex, 0..1. */
function vertex(table: Buffer, [red, green, blue]: Rgb): number[] {
  const at = 12 + 6 * ((Math.round(red * 64) * 65 + Math.round(green * 64)) * 65 + Math.round(blue * 64));
  return [0, 2, 4].map((offset) => table.readUInt16LE(at + offset) / 65_535);
}

function expectNear(values: readonly number[], expected: readonly number[]): void {
  for (const [index, value] of values.entries()) expect(value).toBeCloseTo(expected[index] as number, 4);
}

/** A table of `size` vertices along each side. */
function cubeOf(size: number, map: (color: Rgb) => Rgb, head = ''): ReturnType<typeof parseCube> {
  const lines: string[] = [];
  const part = (index: number): number => index / (size - 1);
  for (let b = 0; b < size; b += 1) for (let g = 0; g < size; g += 1) for (let r = 0; r < size; r += 1) lines.push(map([part(r), part(g), part(b)]).join(' '));
  return parseCube(`${head}LUT_3D_SIZE ${size}\n${lines.join('\n')}`);
}

const colors: Rgb[] = [
  [0, 0, 0],
  [1, 1, 1],
  [0.25, 0.5, 0.75],
  [0.75, 0.125, 0.5],
  [0.015625, 0.984375, 0.3125],
];

describe('foldGrade', () => {
  it('contains the vertices of a LUT and tetrahedral values between them', () => {
    const swap = ([r, g, b]: Rgb): Rgb => [b, r, g];
    for (const size of [2, 17, 32]) {
      const table = foldGrade({ lut: { cube: cubeOf(size, swap), amount: 1 } });
      for (const color of colors) expectNear(vertex(table, color), swap(color));
    }
    // Of a product, the tetrahedral value on the diagonal is between black and white.
    const product = foldGrade({ lut: { cube: cubeOf(2, ([r, g, b]) => [r * g * b, r * g, 0]), amount: 1 } });
    expectNear(vertex(product, [0.5, 0.5, 0.5]), [0.5, 0.5, 0]);
    expectNear(vertex(product, [0.75, 0.5, 0.25]), [0.25, 0.5, 0]);
  });

  it('mixes a LUT by its amount', () => {
    const table = foldGrade({ lut: { cube: cubeOf(2, () => [1, 1, 1]), amount: 0.25 } });
    expectNear(vertex(table, [0, 0.5, 1]), [0.25, 0.625, 1]);
  });

  it('clamps to the domain of a LUT', () => {
    const table = foldGrade({ lut: { cube: cubeOf(3, (color) => color, 'DOMAIN_MIN 0.25 0.25 0.25\nDOMAIN_MAX 0.75 0.75 0.75\n'), amount: 1 } });
    expectNear(vertex(table, [0.125, 0.5, 0.875]), [0, 0.5, 1]);
  });

  it('maps by a 1D table', () => {
    const table = foldGrade({ lut: { cube: parseCube('LUT_1D_SIZE 3\n0 0 0\n0.8 0.5 0.2\n1 1 1'), amount: 1 } });
    expectNear(vertex(table, [0.5, 0.5, 0.25]), [0.8, 0.5, 0.1]);
  });

  it('bends channels, then all by the master curve, without overshoot', () => {
    const table = foldGrade({
      curves: {
        red: [
          [0, 1],
          [1, 0],
        ],
        master: [
          [0, 0],
          [0.5, 0.8],
          [1, 1],
        ],
      },
    });
    expectNear(vertex(table, [0.5, 0.5, 1]), [0.8, 0.8, 1]);
    expectNear(vertex(table, [0, 0, 0]), [1, 0, 0]);
    const levels = Array.from({ length: 65 }, (_, i) => vertex(table, [0, i / 64, 0])[1] as number);
    expect(levels.every((level, i) => level <= 1 && (i === 0 || level >= (levels[i - 1] as number)))).toBe(true);
  });

  it('warms, cools and tints without a change of neutral luminance', () => {
    const grey: Rgb = [0.5, 0.5, 0.5];
    const of = (temperature: number, tint: number): number[] => vertex(foldGrade({ whiteBalance: { temperature, tint } }), grey);
    const light = (color: number[]): number => [0.2126, 0.7152, 0.0722].reduce((sum, weight, c) => sum + weight * (color[c] as number) ** 2.4, 0);
    const [warm, cold, magenta, green] = [of(50, 0), of(-50, 0), of(0, 50), of(0, -50)] as [number[], number[], number[], number[]];
    expect(warm[0]).toBeGreaterThan((warm[2] as number) + 0.08);
    expect(cold[2]).toBeGreaterThan((cold[0] as number) + 0.08);
    expect(magenta[1]).toBeLessThan(Math.min(magenta[0] as number, magenta[2] as number) - 0.003);
    expect(green[1]).toBeGreaterThan(Math.max(green[0] as number, green[2] as number) + 0.003);
    for (const color of [warm, cold, magenta, green]) expect(light(color)).toBeCloseTo(0.5 ** 2.4, 3);
  });

  it('applies white balance, curves and LUT in this order', () => {
    const invert = cubeOf(2, ([r, g, b]) => [1 - r, 1 - g, 1 - b]);
    const table = foldGrade({
      whiteBalance: { temperature: 40, tint: 0 },
      curves: {
        master: [
          [0, 0.5],
          [1, 0.5],
        ],
      },
      lut: { cube: invert, amount: 0.5 },
    });
    expectNear(vertex(table, [0.25, 0.5, 0.75]), [0.5, 0.5, 0.5]);
  });
});
