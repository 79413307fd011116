import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { createTextSprites } from '../../../src/graphics/index.js';
import { drawTexts } from '../../../src/render/draw/draw-texts.js';
import type { TextElement } from '../../../src/script/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { compileTimeline } from '../../../src/timeline/index.js';
import { composeGolden } from '../../support/both-compositors.js';
import { expectGolden, type Image, largestDifference, stack } from '../../support/golden-image.js';

const tolerance = 2;
const canvasSize = { width: 240, height: 100 };
const fps = 30;
const folder = mkdtempSync(join(tmpdir(), 'golden-text-styles-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sprites = createTextSprites({ folder });
const engine = createEngine();

/** Frames of a movie of five seconds that shows one text, as the engine composes them. */
async function composeText(properties: object, seconds: readonly number[]): Promise<Image[]> {
  const script = { ...canvasSize, fps, scenes: [{ duration: 5, background: '#28486a', elements: [{ type: 'text', 'font-size': 30, ...properties }] }] };
  const movie = parseMovie(script, { checkUrl: () => undefined });
  const durations = resolveDurations(movie, () => undefined);
  const { signal } = new AbortController();
  const text = await drawTexts({ movie, durations, workDir: folder, signal, media: new Map(), words: new Map() }, sprites);
  expect(text.warnings).toEqual([]);
  const timeline = compileTimeline({ movie, durations, media: new Map(), pieces: text.pieces });
  return composeGolden(
    engine,
    timeline,
    seconds.map((second) => Math.min(5 * fps - 1, Math.round(second * fps))),
  );
}

const cases: Array<[TextElement['style'], string, [number, number, number]]> = [
  ['001', 'Static', [0, 1, 4]],
  ['002', 'Fading in', [0.5, 1, 3]],
  ['003', 'Word by word', [0.3, 0.7, 2]],
  ['004', 'Popping up', [0.1, 0.17, 2]],
  ['005', 'Jumping gladly', [0.2, 0.6, 4]],
  ['006', 'Reveal', [0.6, 0.9, 4]],
  ['007', 'Domino', [0.1, 0.4, 4]],
  ['008', 'Growing', [0.1, 0.5, 4]],
  ['009', 'Random', [0.7, 1.5, 4]],
  ['010', 'Leaving', [1, 3, 4.5]],
  ['011', 'Behind\neach line', [0, 1, 4]],
];

describe('frames of style', () => {
  test.each(cases)('%s', async (style, text, seconds) => {
    const actual = stack(await composeText({ style, text }, seconds));
    await expectGolden(import.meta.url, style, actual, { tolerance, maxBytes: 30_000 });
  });
});

describe('at rest', () => {
  const look = { text: 'AVATAR To jig', 'font-family': 'Inter', 'letter-spacing': 0, 'text-shadow': '2px 2px rgba(0,0,0,0.6)' };

  test.each(['004', '005', '006', '007', '009'] as const)('style %s is the static text', async (style) => {
    const [still] = await composeText({ ...look, style: '001' }, [4]);
    const [moved] = await composeText({ ...look, style }, [4]);
    expect(largestDifference(moved as Image, still as Image)).toBeLessThanOrEqual(1);
  });

  test('letters are where the block is that replaces them', async () => {
    const [still] = await composeText({ ...look, style: '001' }, [1]);
    // The last of 11 letters comes to rest at 0.3 s; the block is shown from the frame after that on.
    const [letters] = await composeText({ ...look, style: '004' }, [0.3]);
    // Neighbours share chroma, which is blended once for each of them.
    expect(largestDifference(letters as Image, still as Image)).toBeLessThanOrEqual(10);
  });
});

describe('letters in an element that moves', () => {
  const look = { text: 'Turning', style: '007', 'text-shadow': 'none' };

  test.each([
    ['flipped', { 'flip-horizontal': true }],
    ['turned', { rotate: { angle: 20, speed: 0 } }],
    ['zoomed', { zoom: 5 }],
  ])('end where the block would be when it is %s', async (_, motion) => {
    const [still] = await composeText({ ...look, ...motion, 'font-family': 'Anton', style: '001' }, [4]);
    const [moved] = await composeText({ ...look, ...motion }, [4]);
    expect(largestDifference(moved as Image, still as Image)).toBeLessThanOrEqual(1);
  });

  test.each(['005', '006', '007'] as const)('mirror the motion of style %s when it is flipped', async (style) => {
    const [plain, flipped] = [{}, { 'flip-horizontal': true }].map((flip) => composeText({ ...look, style, ...flip }, [0.7]));
    const frames = [((await plain) as Image[])[0] as Image, ((await flipped) as Image[])[0] as Image] as const;
    // Chroma lies left of its pair of pixels, so that edges do not mirror to the last level.
    expect(largestDifference(mirror(frames[0]), frames[1])).toBeLessThanOrEqual(24);
  });
});

function mirror(frame: Image): Image {
  const pixels = new Uint8ClampedArray(frame.pixels.length);
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const from = (y * frame.width + x) * 4;
      pixels.set(frame.pixels.subarray(from, from + 4), (y * frame.width + frame.width - 1 - x) * 4);
    }
  }
  return { ...frame, pixels };
}
