import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { movieSchema, parseMovie } from '../../../src/script/index.js';
import type { Timeline } from '../../../src/timeline/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { draw, expectGolden, type Image, stack } from '../../support/golden-image.js';
import { TestTimeline } from '../../support/scenery.js';

const size = { width: 128, height: 72 };
const folder = mkdtempSync(join(tmpdir(), 'golden-transitions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = createEngine();
const scenery = new TestTimeline(folder);

/** Stripes and a spot whose place tells what has moved where. */
const scene = (colors: readonly [string, string], spot: readonly [number, number]) =>
  scenery.add(
    'image',
    draw(size.width, size.height, (context) => {
      for (let i = 0; i < 8; i++) {
        context.fillStyle = colors[i % 2] ?? '';
        context.fillRect(i * 16, 0, 16, size.height);
      }
      context.fillStyle = '#ffffff';
      context.beginPath();
      context.arc(...spot, 14, 0, 7);
      context.fill();
    }),
  );
const from = scene(['#c04848', '#903030'], [34, 22]);
const to = scene(['#3060a8', '#204478'], [94, 50]);
/** Rings, with the darkest place left of the middle. */
const luma = scenery.add(
  'luma',
  draw(size.width, size.height, (context) => {
    for (let radius = 112; radius > 0; radius -= 1) {
      const grey = Math.round(128 + 110 * Math.cos(radius / 8) * (1 - radius / 160));
      context.fillStyle = `rgb(${grey}, ${grey}, ${grey})`;
      context.beginPath();
      context.arc(40, 30, radius, 0, 7);
      context.fill();
    }
  }),
);

const { transitionStyle } = movieSchema.$defs as { transitionStyle: { enum: Array<string | null> } };
const transition = (style: string | null) => ({ style, ...(style === 'luma' && { src: 'https://example.com/wipe.png' }) });
const parsed = transitionStyle.enum.map((style) => parseMovie({ scenes: [{ transition: transition(style) }] }).scenes[0]?.transition?.style ?? 'fade');
/** All but morph, which is no transition of the engine. */
const styles = [...new Set(parsed)].filter((style) => style !== 'morph');

/** Two scenes with a transition of the style from frame 20 to 40. */
function middleOf(style: string): Timeline {
  const box = { x: 0, y: 0, ...size };
  const section = (start: number, source: number) => ({
    label: `scene_${start}`,
    start,
    frames: 20,
    background: '#000000ff',
    clips: [{ start: 0, frames: 20, source, box }],
  });
  const plain = scenery.timeline(size.width, size.height, { clips: [] });
  return {
    ...plain,
    canvas: { ...plain.canvas, frames: 40 },
    sections: [section(0, from), { ...section(20, to), transition: { style, frames: 20, ...(style === 'luma' && { luma: { source: luma, softness: 0.2 } }) } }],
  };
}

async function composeMiddle(style: string): Promise<Image> {
  const { width, height, pixels } = await engine.composeFrame(Buffer.from(JSON.stringify(middleOf(style))), 30);
  return { width, height, pixels: new Uint8ClampedArray(pixels) };
}

describe('the middle of', () => {
  const sheets = Array.from({ length: Math.ceil(styles.length / 12) }, (_, index) => styles.slice(index * 12, index * 12 + 12));

  test.each(sheets.map((names, index) => [`${names[0]} to ${names.at(-1)}`, names, index] as const))('%s', async (_, names, index) => {
    const images: Image[] = [];
    for (const style of names) images.push(await composeMiddle(style));
    await expectGolden(import.meta.url, `sheet-${index + 1}`, stack(images), { tolerance: 2, maxBytes: 150_000 });
  });

  // One of each way to draw them; test/native/vulkan has all of them.
  test.each([
    ...['slideleft', 'radial', 'squeezeh', 'hblur', 'push-left', 'whip-pan-right', 'whip-pan-up', 'zoom-blur', 'glitch', 'light-leak', 'film-burn'],
    ...['light-leak-up', 'page-curl-left', 'page-curl-down', 'luma'],
  ])('%s is the same on a graphics device', async (style) => {
    await composeOnBoth(engine, middleOf(style), 30);
  });

  test('every style of the schema', () => {
    expect(styles.length).toBeGreaterThan(76);
  });
});

describe('four moments, on both compositors, of', () => {
  const moving = ['push-left', 'whip-pan-left', 'zoom-blur', 'glitch', 'light-leak', 'film-burn', 'page-curl-left', 'page-curl-up', 'luma'];

  test('transitions with motion and light', async () => {
    const images: Image[] = [];
    for (const style of moving) {
      for (const frame of [23, 28, 32, 37]) images.push(await composeOnBoth(engine, middleOf(style), frame));
    }
    await expectGolden(import.meta.url, 'moments', stack(images), { tolerance: 2, maxBytes: 190_000 });
  });
});
