import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withLocalRender } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { planMovie } from '../../../src/render/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { drawHill, expectGolden, type Image, stack } from '../../support/golden-image.js';

const folder = mkdtempSync(join(tmpdir(), 'golden-morph-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  writeFileSync(join(folder, 'hill.png'), drawHill());
});

/** A photo, a card and a title, which go to other places, sizes, angles and colours; a note and a clock, which do not go anywhere. */
function scenes(width: number, height: number): object[] {
  const [x, y] = [(part: number) => Math.round(part * width), (part: number) => Math.round(part * height)];
  const title = { type: 'text', id: 'title', text: 'Morph', font: 'Anton', width: x(0.5), height: Math.max(x(0.18), y(0.2)) };
  const card = { type: 'text', id: 'card', text: 'Card', font: 'Anton', font_size: x(0.05), background_color: '#ffb703', border_radius: 8 };
  return [
    {
      duration: 2,
      background: '#28486a',
      elements: [
        { type: 'image', id: 'photo', src: 'hill.png', x: x(0.05), y: y(0.1), width: x(0.6), drop_shadow: true },
        { ...card, x: x(0.7), y: y(0.15), width: x(0.22), height: y(0.2) },
        { ...title, font_size: x(0.08), x: x(0.05), y: y(0.7) },
        { type: 'text', text: 'before', font: 'Arimo', font_size: x(0.05), x: x(0.7), y: y(0.8), width: x(0.3), height: y(0.12) },
      ],
    },
    {
      duration: 2,
      background: '#6a2848',
      transition: { style: 'morph', duration: 1 },
      elements: [
        { type: 'image', id: 'photo', src: 'hill.png', x: x(0.65), y: y(0.6), width: x(0.3), rotate: { angle: -12 }, drop_shadow: true },
        { ...card, x: x(0.08), y: y(0.5), width: x(0.44), height: y(0.4) },
        { ...title, font_size: x(0.13), x: x(0.25), y: y(0.08) },
        { type: 'text', text: 'after', font: 'Arimo', font_size: x(0.05), x: x(0.1), y: y(0.3), width: x(0.3), height: y(0.12) },
      ],
    },
  ];
}

describe('four moments of a morph, on both compositors', () => {
  test.each([
    ['wide', 256, 144],
    ['tall', 144, 256],
  ])('%s', async (name, width, height) => {
    const script = { width, height, fps: 20, scenes: scenes(width, height) };
    const images = await withLocalRender(join(folder, 'movie.json'), loadConfig(), async (parts, workDir): Promise<Image[]> => {
      const { timeline, warnings } = await planMovie({ script, workDir, signal: new AbortController().signal }, parts);
      expect(warnings).toEqual([]);
      const moments: Image[] = [];
      for (const frame of [41, 46, 51, 58]) moments.push(await composeOnBoth(parts.engine, timeline, frame));
      return moments;
    });
    await expectGolden(import.meta.url, `morph-${name}`, stack(images), { tolerance: 3, maxBytes: 190_000 });
  });
});
