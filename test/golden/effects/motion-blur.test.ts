import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import type { Clip, Timeline } from '../../../src/timeline/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { draw, expectGolden, type Image } from '../../support/golden-image.js';
import { TestTimeline } from '../../support/scenery.js';

const folder = mkdtempSync(join(tmpdir(), 'golden-motion-blur-'));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = createEngine();
const scenery = new TestTimeline(folder);

/** A badge with text-like detail and transparent surroundings. */
const badge = scenery.add(
  'image',
  draw(120, 80, (context) => {
    const glow = context.createLinearGradient(0, 0, 120, 80);
    glow.addColorStop(0, '#ff8a3c');
    glow.addColorStop(1, '#d0206a');
    context.fillStyle = glow;
    context.beginPath();
    context.roundRect(6, 6, 108, 68, 18);
    context.fill();
    context.strokeStyle = '#ffffff';
    context.lineWidth = 6;
    for (const x of [30, 48, 66, 84]) {
      context.beginPath();
      context.moveTo(x, 24);
      context.lineTo(x + 6, 56);
      context.stroke();
    }
  }),
);

type Moving = Pick<Clip, 'x' | 'y' | 'scale' | 'rotation' | 'piece' | 'cornerRadius' | 'reveal' | 'blend'>;
const from = (start: number, end: number) => [
  { frame: 0, value: start, easing: 'easeInOutCubic' as const },
  { frame: 10, value: end },
];
const motions: Record<string, Moving> = {
  across: { x: from(-60, 60) },
  diagonal: { x: from(-50, 50), y: from(40, -40) },
  spin: { rotation: from(0, 200) },
  zoom: { scale: from(0.4, 1.5) },
  'all at once': { x: from(-40, 40), rotation: from(-60, 60), scale: from(0.7, 1.2) },
  piece: { piece: { y: from(30, -30), rotation: from(20, -20) } },
  'half revealed': { x: from(-50, 50), reveal: { right: 0.5 } },
  'round corners': { x: from(-50, 50), cornerRadius: 30 },
  screen: { x: from(-60, 60), blend: 'screen' },
};
const size = { width: 240, height: 160 };
const box = { x: 60, y: 40, width: 120, height: 80 };

function clipOf(motion: Moving, motionBlur: number): Clip {
  return { start: 0, frames: 30, source: badge, box, ...motion, ...(motionBlur > 0 && { motionBlur }) };
}

async function compose(timeline: Timeline, frame: number): Promise<Image> {
  const { width, height, pixels } = await engine.composeFrame(Buffer.from(JSON.stringify({ ...timeline, compositor: 'cpu' })), frame);
  return { width, height, pixels: new Uint8ClampedArray(pixels) };
}

/** The motion with `factor` times as many frames. */
function slowed(value: unknown, factor: number): unknown {
  if (Array.isArray(value)) return value.map((key: { frame: number }) => ({ ...key, frame: key.frame * factor }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, slowed(part, factor)]));
}

describe('motion blur', () => {
  test.each(Object.entries(motions))('%s: equals the mean of the frames while the shutter is open', async (_name, motion) => {
    const frame = 5;
    const blurred = await composeOnBoth(engine, scenery.timeline(size.width, size.height, { clips: [clipOf(motion, 0.5)] }), frame);
    const factor = 64;
    const open = factor / 2;
    const clip = { ...clipOf(slowed(motion, factor) as Moving, 0), frames: 30 * factor };
    const slow = scenery.timeline(size.width, size.height, { clips: [clip] });
    const frames = 30 * factor;
    const timeline: Timeline = { ...slow, canvas: { ...slow.canvas, frames }, sections: slow.sections.map((section) => ({ ...section, frames })) };
    const sums = new Float64Array(blurred.pixels.length);
    for (let i = 0; i < open; i++) {
      const { pixels } = await compose(timeline, frame * factor + i);
      for (const [at, value] of pixels.entries()) sums[at] = (sums[at] ?? 0) + value / open;
    }
    let [sum, largest] = [0, 0];
    for (const [at, value] of blurred.pixels.entries()) {
      const off = Math.abs(value - (sums[at] ?? 0));
      sum += off;
      largest = Math.max(largest, off);
    }
    expect(sum / sums.length).toBeLessThan(0.6);
    // At hard edges, which are drawn once and then moved.
    expect(largest).toBeLessThan(24);
  });

  test('match their expected images', async () => {
    const columns = 3;
    const clips = Object.values(motions).flatMap((motion, i) => {
      const at = { ...box, x: box.x + (i % columns) * size.width, y: box.y + Math.floor(i / columns) * size.height };
      return [{ ...clipOf(motion, 0.5), box: at }];
    });
    const rows = Math.ceil(clips.length / columns);
    const timeline = scenery.timeline(columns * size.width, rows * size.height, { clips });
    await expectGolden(import.meta.url, 'motion-blur', await composeOnBoth(engine, timeline, 5), { tolerance: 2, maxBytes: 160_000 });
  });
});
