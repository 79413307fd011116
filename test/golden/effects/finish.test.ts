import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import type { Clip } from '../../../src/timeline/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { draw, expectGolden } from '../../support/golden-image.js';
import { TestTimeline } from '../../support/scenery.js';

const folder = mkdtempSync(join(tmpdir(), 'golden-finish-'));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = createEngine();
const scenery = new TestTimeline(folder);

/** A sky, hills and fine lines, with round corners. */
const landscape = scenery.add(
  'image',
  draw(200, 120, (context) => {
    context.beginPath();
    context.roundRect(0, 0, 200, 120, 24);
    context.clip();
    const sky = context.createLinearGradient(0, 0, 0, 120);
    sky.addColorStop(0, '#3a6fd8');
    sky.addColorStop(1, '#ffd9a0');
    context.fillStyle = sky;
    context.fillRect(0, 0, 200, 120);
    context.fillStyle = '#2d5a3a';
    context.beginPath();
    context.moveTo(0, 100);
    for (let x = 0; x <= 200; x += 10) context.lineTo(x, 88 + 14 * Math.sin(x / 24));
    context.lineTo(200, 120);
    context.lineTo(0, 120);
    context.fill();
    context.strokeStyle = '#20242c';
    for (let x = 30; x < 180; x += 6) {
      context.lineWidth = 0.5 + x / 90;
      context.beginPath();
      context.moveTo(x, 40);
      context.lineTo(x + 4, 76);
      context.stroke();
    }
  }),
);

type Finish = Pick<Clip, 'sharpen' | 'vignette' | 'grain' | 'rotation' | 'blur' | 'blend' | 'motionBlur' | 'x'>;
const finishes: Finish[] = [
  {},
  { sharpen: 0.5 },
  { sharpen: 1 },
  { vignette: { amount: 0.8 } },
  { vignette: { amount: 1, size: 0.2, softness: 0.4 }, rotation: 20 },
  { grain: 0.5 },
  { grain: 1, blur: 2 },
  { sharpen: 0.6, vignette: { amount: 0.6 }, grain: 0.4, blend: 'screen' },
  {
    grain: 0.7,
    motionBlur: 1,
    x: [
      { frame: 0, value: -40 },
      { frame: 4, value: 40 },
    ],
  },
];

describe('sharpening, vignette and grain', () => {
  const size = { width: 160, height: 100 };
  const columns = 3;
  const timeline = () => {
    const clips: Clip[] = finishes.map((finish, i) => ({
      start: 0,
      frames: 10,
      source: landscape,
      box: { x: 15 + (i % columns) * size.width, y: 11 + Math.floor(i / columns) * size.height, width: 130, height: 78 },
      ...finish,
    }));
    return scenery.timeline(columns * size.width, columns * size.height, { clips }, '#404a5aff');
  };

  test('match their expected images', async () => {
    await expectGolden(import.meta.url, 'finish', await composeOnBoth(engine, timeline(), 2), { tolerance: 2, maxBytes: 190_000 });
  });

  test('grain differs between frames, and the rest does not', async () => {
    const frames = await Promise.all([0, 1].map((frame) => engine.composeFrame(Buffer.from(JSON.stringify({ ...timeline(), compositor: 'cpu' })), frame)));
    const differs = (tile: number) => {
      const [a = new Uint8Array(), b = new Uint8Array()] = frames.map(({ pixels }) => pixels);
      let count = 0;
      for (let y = 0; y < size.height; y++) {
        const row = ((Math.floor(tile / columns) * size.height + y) * columns + (tile % columns)) * size.width * 4;
        for (let x = 0; x < size.width * 4; x++) if (a[row + x] !== b[row + x]) count++;
      }
      return count / (size.width * size.height * 4);
    };
    for (const still of [0, 1, 2, 3, 4]) expect(differs(still)).toBe(0);
    for (const grained of [5, 6, 7]) expect(differs(grained)).toBeGreaterThan(0.3);
  });
});
