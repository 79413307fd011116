import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { cornerMap } from '../../../src/timeline/clips/depth.js';
import type { Clip } from '../../../src/timeline/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { draw, expectGolden } from '../../support/golden-image.js';
import { TestTimeline } from '../../support/scenery.js';

const folder = mkdtempSync(join(tmpdir(), 'golden-depth-'));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = createEngine();
const scenery = new TestTimeline(folder);

/** A card with a grid, a disc and text, on a transparent ground. */
const card = scenery.add(
  'image',
  draw(240, 160, (context) => {
    context.beginPath();
    context.roundRect(0, 0, 240, 160, 18);
    context.clip();
    context.fillStyle = '#f4f6fb';
    context.fillRect(0, 0, 240, 160);
    context.strokeStyle = '#c3cbe0';
    for (let x = 0; x <= 240; x += 20) context.strokeRect(x, 0, 0.01, 160);
    for (let y = 0; y <= 160; y += 20) context.strokeRect(0, y, 240, 0.01);
    context.fillStyle = '#e8554e';
    context.beginPath();
    context.arc(70, 80, 44, 0, 7);
    context.fill();
    context.fillStyle = '#1d2440';
    context.font = '700 44px Arimo, sans-serif';
    context.fillText('Card', 124, 94);
  }),
);

const size = { width: 180, height: 130 };
const columns = 3;
const place = (index: number) => ({
  x: (index % columns) * size.width + 24,
  y: Math.floor(index / columns) * size.height + 18,
  width: 126,
  height: 84,
});
const soft = { color: '#0a143c80', blur: 6, x: 0, y: 7 };

/** One clip a tile. */
const tiles: Array<(box: ReturnType<typeof place>) => Partial<Clip>> = [
  () => ({ source: card, shadows: [soft] }),
  () => ({
    source: card,
    cornerRadius: 42,
    shadows: [
      { color: '#ff7a00ff', blur: 9 },
      { color: '#ff000080', x: 14, y: 10 },
    ],
  }),
  ({ x, y }) => ({ source: card, perspective: { scale: 1.2, x: x + 63, y: y + 42, distance: 260, rotateY: 40 }, shadows: [soft] }),
  ({ x, y }) => ({ source: card, perspective: { scale: 1.2, x: x + 63, y: y + 42, distance: 220, rotateX: 55, rotateY: -20 } }),
  (box) => ({
    source: card,
    perspective: {
      scale: 1.1,
      map: cornerMap(box, [
        [box.x + 10, box.y + 2],
        [box.x + 122, box.y + 18],
        [box.x + 112, box.y + 90],
        [box.x - 8, box.y + 74],
      ]),
    },
    shadows: [soft],
  }),
  ({ x, y }) => ({ source: card, rotation: 20, perspective: { scale: 1.5, x: x + 63, y: y + 42, distance: 300, rotateY: 150 } }),
  (box) => ({
    opacity: 0.6,
    shadows: [soft],
    clips: [
      { source: card, start: 0, frames: 9, box },
      { fill: '#2f6fedff', start: 0, frames: 9, box: { x: box.x + 70, y: box.y + 50, width: 70, height: 44 }, cornerRadius: 12 },
    ],
  }),
  (box) => ({
    rotation: -8,
    perspective: { scale: 1.3, x: box.x + 63, y: box.y + 42, distance: 240, rotateY: -45 },
    shadows: [soft],
    clips: [
      { source: card, start: 0, frames: 9, box, vignette: { amount: 0.7 } },
      { fill: '#2f6fedff', start: 0, frames: 9, box: { x: box.x + 70, y: box.y + 50, width: 70, height: 44 }, cornerRadius: 12, shadows: [soft] },
    ],
  }),
  (box) => ({
    blur: 2,
    motionBlur: 1,
    x: [
      { frame: 0, value: -30 },
      { frame: 4, value: 30 },
    ],
    perspective: { scale: 1.1, x: box.x + 63, y: box.y + 42, distance: 300, rotateX: -35 },
    shadows: [{ color: '#000000ff', blur: 2, x: 10, y: 16 }],
    clips: [{ source: card, start: 0, frames: 9, box, blend: 'screen' }],
  }),
];

/** Light around shapes: wider, stronger, around a disc, before a shadow, under a translucent clip, and around a group. */
const lights: Array<(box: ReturnType<typeof place>) => Partial<Clip>> = [
  () => ({ source: card, shadows: [{ color: '#ffffffff', blur: 6 }] }),
  () => ({ source: card, shadows: [{ color: '#00e5ffff', blur: 10, intensity: 2 }] }),
  () => ({ fill: '#ff3d7fff', cornerRadius: 42, shadows: [{ color: '#ff3d7fff', blur: 8, intensity: 4 }] }),
  () => ({
    source: card,
    shadows: [
      { color: '#ffd166ff', blur: 5, intensity: 0.5 },
      { color: '#000000ff', blur: 2, x: 10, y: 14 },
    ],
  }),
  () => ({ source: card, opacity: 0.5, rotation: 12, shadows: [{ color: '#7cff6bff', blur: 7, intensity: 3 }] }),
  (box) => ({
    shadows: [
      {
        color: '#b388ffff',
        blur: [
          { frame: 0, value: 0 },
          { frame: 4, value: 12 },
        ],
        intensity: [
          { frame: 0, value: 0 },
          { frame: 4, value: 4 },
        ],
      },
    ],
    clips: [
      { source: card, start: 0, frames: 9, box: { ...box, width: 70, height: 48 } },
      { fill: '#b388ffff', start: 0, frames: 9, box: { x: box.x + 60, y: box.y + 40, width: 66, height: 40 }, cornerRadius: 20 },
    ],
  }),
];

describe('glow', () => {
  test('matches its expected image', async () => {
    const clips = lights.map((light, index): Clip => ({ start: 0, frames: 10, box: place(index), ...light(place(index)) }));
    const timeline = scenery.timeline(columns * size.width, 2 * size.height, { clips }, '#10141fff');
    await expectGolden(import.meta.url, 'glow', await composeOnBoth(engine, timeline, 2), { tolerance: 2, maxBytes: 190_000 });
  });
});

describe('shadows, perspective and groups', () => {
  test('match their expected image', async () => {
    const clips = tiles.map((tile, index): Clip => ({ start: 0, frames: 10, box: place(index), ...tile(place(index)) }));
    const timeline = scenery.timeline(columns * size.width, columns * size.height, { clips }, '#dfe4eeff');
    await expectGolden(import.meta.url, 'depth', await composeOnBoth(engine, timeline, 2), { tolerance: 2, maxBytes: 190_000 });
  });
});
