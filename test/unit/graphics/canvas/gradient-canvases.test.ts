import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cropToInk } from '../../../../src/graphics/canvas/bitmap.js';
import { fillGradient } from '../../../../src/graphics/canvas/gradients.js';
import { storeSprite } from '../../../../src/graphics/canvas/sprite-file.js';
import { compositeSurface, createSurface, cropSurface } from '../../../../src/graphics/canvas/surface.js';

const folder = mkdtempSync(join(tmpdir(), 'gradient-sprites-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = { x: 0, y: 0, width: 16, height: 8 };
const gray = (level: number) => ({ color: { r: level, g: level, b: level, a: 255 } });
const gradient = { kind: 'linear', degrees: 90, toward: [0, 0], stops: [gray(10), gray(40)], repeats: false } as const;

function drawGradient() {
  const surface = createSurface(at, 1);
  fillGradient(surface.context, { ...gradient, toward: [0, 0], stops: [...gradient.stops] }, at);
  return surface;
}

async function versionOf(bitmap: Parameters<typeof storeSprite>[1]): Promise<[name: string, version: number]> {
  const name = await storeSprite(folder, bitmap);
  return [name, readFileSync(join(folder, name)).readUInt32LE(4)];
}

test('a sprite with a gradient says so to the engine and by its name', async () => {
  const drawn = cropToInk(drawGradient().canvas);
  const [name, version] = await versionOf(drawn?.bitmap as NonNullable<typeof drawn>['bitmap']);
  expect(name).toMatch(/^[0-9a-f]{40}-gradient\.fwsp$/);
  expect(version).toBe(2);
});

test('a gradient that is composited over another surface counts', () => {
  const target = createSurface(at, 1);
  compositeSurface(target.context, drawGradient(), 0.5);
  expect(cropSurface(target)?.bitmap.hasGradient).toBe(true);
});

test('a flat sprite does not', async () => {
  const surface = createSurface(at, 1);
  surface.context.fillStyle = '#804020';
  surface.context.fillRect(0, 0, 16, 8);
  const drawn = cropSurface(surface);
  const [name, version] = await versionOf(drawn?.bitmap as NonNullable<typeof drawn>['bitmap']);
  expect(name).toMatch(/^[0-9a-f]{40}\.fwsp$/);
  expect(version).toBe(1);
});
