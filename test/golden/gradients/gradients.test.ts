import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withLocalRender } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { planMovie } from '../../../src/render/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { draw, type Image } from '../../support/golden-image.js';
import { type ExactLuma, largestMeanError, longestRun, lumaLevels, lumaOf, noiseDithered } from '../../support/gradient-quality.js';

/** Levels by which the mean of 16 x 16 samples may differ from the exact colour; the mean of a rounded gradient is off by up to half a level. */
const maxMeanError = 0.15;
const fps = 20;
const folder = mkdtempSync(join(tmpdir(), 'golden-gradients-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Rgb = [number, number, number];
interface Size {
  width: number;
  height: number;
}
interface Case {
  name: string;
  direction: 'across' | 'down';
  scenes: (size: Size) => object[];
  frame?: number;
  exact: (size: Size) => ExactLuma;
}

const hex = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb;
const mix = (from: number, to: number, share: number): number => from + (to - from) * Math.min(1, Math.max(0, share));
const luma = (color: string): number => lumaOf(hex(color));
/** A flat colour is a sample. */
const flat = (color: string): number => Math.round(luma(color));
const smooth = (at: number): number => {
  const t = Math.min(1, Math.max(0, at));
  return t * t * (3 - 2 * t);
};

const block = (background: string, { width, height }: Size, more: object = {}): object => ({
  type: 'text',
  text: ' ',
  x: 0,
  y: 0,
  width,
  height,
  settings: { background, width: `${width}px`, min_height: `${height}px` },
  ...more,
});
const scene = (...elements: object[]): object => ({ duration: 2, background: '#202020', elements });

const across =
  (from: string, to: string) =>
  ({ width }: Size): ExactLuma =>
  (x) =>
    mix(luma(from), luma(to), (x + 0.5) / width);
const down =
  (from: string, to: string) =>
  ({ height }: Size): ExactLuma =>
  (_, y) =>
    mix(luma(from), luma(to), (y + 0.5) / height);
/** A circle that reaches the farthest corner. */
const rings =
  (from: string, to: string) =>
  ({ width, height }: Size): ExactLuma =>
  (x, y) =>
    mix(luma(from), luma(to), Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) / Math.hypot(width / 2, height / 2));
/** A layer with a constant opacity. */
const over =
  (below: (size: Size) => ExactLuma, above: (size: Size) => ExactLuma, opacity: number) =>
  (size: Size): ExactLuma => {
    const [under, top] = [below(size), above(size)];
    return (x, y) => mix(under(x, y), top(x, y), opacity);
  };
const plain = (color: string) => (): ExactLuma => () => flat(color);

const cases: Case[] = [
  {
    name: 'a dark linear gradient',
    direction: 'across',
    scenes: (size) => [scene(block('linear-gradient(90deg, #101014, #2c2c34)', size))],
    exact: across('#101014', '#2c2c34'),
  },
  {
    name: 'a bright linear gradient',
    direction: 'down',
    scenes: (size) => [scene(block('linear-gradient(180deg, #d8dce0, #f4f2ee)', size))],
    exact: down('#d8dce0', '#f4f2ee'),
  },
  {
    name: 'a dark radial gradient',
    direction: 'across',
    scenes: (size) => [scene(block('radial-gradient(circle, #3a3052, #101018)', size))],
    exact: rings('#3a3052', '#101018'),
  },
  {
    name: 'a gradient at opacity 0.12',
    direction: 'across',
    scenes: (size) => [scene(block('linear-gradient(90deg, #000000, #ffffff)', size, { opacity: 0.12 }))],
    exact: over(plain('#202020'), across('#000000', '#ffffff'), 0.12),
  },
  {
    name: 'a translucent scrim',
    direction: 'down',
    scenes: (size) => [scene(block('#406080', size), block('linear-gradient(180deg, rgba(0, 0, 0, 0), rgba(0, 0, 0, 0.6))', size))],
    exact: ({ height }) => {
      return (_, y) => mix(flat('#406080'), 16, (0.6 * (y + 0.5)) / height);
    },
  },
  {
    name: 'a fading radial gradient',
    direction: 'across',
    scenes: (size) => [scene(block('radial-gradient(circle, #606878, #283040)', size, { fade_in: 2 }))],
    frame: 16,
    exact: over(plain('#202020'), rings('#606878', '#283040'), 0.4),
  },
  {
    name: 'a bright gradient through a flat overlay',
    direction: 'across',
    scenes: (size) => [scene(block('linear-gradient(90deg, #c0c0c0, #f0f0f0)', size), block('#808080', size, { opacity: 0.5 }))],
    exact: over(across('#c0c0c0', '#f0f0f0'), plain('#808080'), 0.5),
  },
  {
    name: 'a crossfade of dark gradients',
    direction: 'across',
    scenes: (size) => [
      scene(block('linear-gradient(90deg, #101010, #303030)', size)),
      { ...scene(block('linear-gradient(90deg, #383838, #181818)', size)), transition: { style: 'fade', duration: 2 } },
    ],
    frame: 40 + 12,
    exact: over(across('#101010', '#303030'), across('#383838', '#181818'), 0.3),
  },
  {
    name: 'the soft edge of circleopen',
    direction: 'across',
    scenes: () => [
      { duration: 2, background: '#181818', elements: [] },
      { duration: 2, background: '#484848', elements: [], transition: { style: 'circleopen', duration: 2 } },
    ],
    frame: 40 + 20,
    exact: ({ width, height }) => {
      const reach = Math.hypot(width / 2, height / 2);
      return (x, y) => mix(flat('#181818'), flat('#484848'), 1 - smooth(Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) / reach));
    },
  },
  {
    name: 'a soft mask',
    direction: 'across',
    scenes: (size) => [scene(block('#606060', size, { mask: `mask-${size.width}.png` }))],
    exact: ({ width }) => {
      return (x) => mix(flat('#202020'), flat('#606060'), (x + 0.5) / width);
    },
  },
];

const sizes: Record<string, Size> = { '16:9': { width: 640, height: 360 }, '9:16': { width: 360, height: 640 } };

beforeAll(() => {
  for (const { width, height } of Object.values(sizes)) {
    writeFileSync(
      join(folder, `mask-${width}.png`),
      draw(width, height, (context) => {
        const ramp = context.createLinearGradient(0, 0, width, 0);
        ramp.addColorStop(0, '#000000');
        ramp.addColorStop(1, '#ffffff');
        context.fillStyle = ramp;
        context.fillRect(0, 0, width, height);
      }),
    );
  }
});
function compose(script: object, frame: number): Promise<Image> {
  return withLocalRender(join(folder, 'movie.json'), loadConfig(), async (parts, workDir) => {
    const { timeline, warnings } = await planMovie({ script, workDir, signal: new AbortController().signal }, parts);
    expect(warnings).toEqual([]);
    return composeOnBoth(parts.engine, timeline, frame);
  });
}

describe.each(Object.entries(sizes))('gradients of a %s movie are as smooth as with noise added at 16 bits', (_, size) => {
  test.each(cases)('$name', async ({ scenes, direction, frame = 5, exact: exactOf }) => {
    const composed = lumaLevels(await compose({ ...size, fps, scenes: scenes(size) }, frame));
    const exact = exactOf(size);
    const reference = noiseDithered(exact, size.width, size.height);
    const figures = {
      run: longestRun(composed, direction),
      referenceRun: longestRun(reference, direction),
      levels: new Set(composed.levels).size,
      meanError: largestMeanError(composed, exact),
    };
    if (process.env.FRAMEWRIGHT_TEST_LONG !== undefined) console.log(JSON.stringify(figures));
    expect(figures.run, JSON.stringify(figures)).toBeLessThanOrEqual(figures.referenceRun);
    expect(figures.meanError, JSON.stringify(figures)).toBeLessThan(maxMeanError);
  });
});
