import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withLocalRender } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { planMovie } from '../../../src/render/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { ffmpeg } from '../../support/ffmpeg.js';
import { draw, drawHill, expectGolden, type Image } from '../../support/golden-image.js';

const size = { width: 240, height: 136, fps: 20 };
const folder = mkdtempSync(join(tmpdir(), 'golden-elements-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  writeFileSync(join(folder, 'hill.png'), drawHill());
  writeFileSync(
    join(folder, 'mask.png'),
    draw(240, 136, (context) => {
      const across = context.createLinearGradient(60, 0, 180, 0);
      across.addColorStop(0, '#000000');
      across.addColorStop(1, '#ffffff');
      context.fillStyle = across;
      context.fillRect(0, 0, 240, 136);
    }),
  );
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=20:duration=2', '-c:v', 'libx264', '-crf', '2', '-pix_fmt', 'yuv420p', join(folder, 'film.mp4'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=frequency=220:duration=2,tremolo=f=5:d=0.9', join(folder, 'tone.wav'));
});

const captions = '1\n00:00:00,000 --> 00:00:02,000\nEvery word in place\n';

/** Another Chromium may smooth edges otherwise, another x264 round otherwise. */
const kinds: Array<[kind: string, elements: object[], tolerance: number]> = [
  ['text', [{ type: 'text', text: 'Words of a film', font: 'Anton', font_size: 40, text_stroke: '3px #102030', color: '#ffd94d' }], 3],
  ['image', [{ type: 'image', src: 'hill.png', resize: 'cover', zoom: 5, pan: 'right', corner_radius: 24 }], 3],
  ['video', [{ type: 'video', src: 'film.mp4', width: 200, position: 'center', rotate: { angle: 6 } }], 8],
  ['html', [{ type: 'html', html: '<div style="margin:20px;padding:16px;background:#d0006f;border-radius:12px"></div>' }], 40],
  ['component', [{ type: 'component', component: 'basic/050', settings: { headline: 'A headline', lead: 'and what is below it' } }], 3],
  [
    'audiogram',
    [
      { type: 'audio', src: 'tone.wav' },
      { type: 'audiogram', color: '#ffd27a', opacity: 1 },
    ],
    3,
  ],
  [
    'audiogram styles',
    [
      { type: 'audio', src: 'tone.wav' },
      ...['bars', 'mirrored', 'line', 'circle', 'spectrum'].map((style, k) => ({
        ...{ type: 'audiogram', style, color: '#ffd27a', opacity: 1, width: 76, height: 64 },
        ...{ x: 2 + 80 * (k % 3), y: 2 + 68 * Math.floor(k / 3), rotate: k === 4 ? { angle: -8 } : undefined },
      })),
    ],
    4,
  ],
  ['subtitles', [{ type: 'subtitles', captions, settings: { style: 'boxed-word', 'font-family': 'Inter', 'font-size': 20, 'box-color': '#d22a1f' } }], 3],
  [
    'skew',
    [
      { type: 'image', src: 'hill.png', width: 90, x: 20, y: 10, skew_x: -20, corner_radius: 10 },
      {
        type: 'text',
        text: 'Leaning',
        font: 'Anton',
        font_size: 34,
        x: 110,
        y: 10,
        width: 120,
        height: 60,
        skew_x: -15,
        animate: { in: { type: 'rise', by: 'letter' } },
      },
      {
        ...{
          type: 'group',
          skew_y: 12,
          drop_shadow: true,
          keyframes: [
            { time: 0, skew_x: 0 },
            { time: 2, skew_x: 20 },
          ],
        },
        elements: [
          { type: 'image', src: 'hill.png', width: 80, x: 40, y: 76 },
          { type: 'text', text: 'Group', font: 'Anton', font_size: 24, x: 40, y: 76, width: 80, height: 45 },
        ],
      },
    ],
    3,
  ],
  [
    'keyframes of colours',
    [
      {
        ...{
          type: 'text',
          text: 'Red to <span style="text-stroke: 1px gold">blue</span> \u{1f600} <span style="color: #ffffff">white</span>',
          markup: true,
          font: 'Anton',
          font_size: 20,
          y: 8,
          height: 60,
        },
        ...{ padding: '6px 10px', background_color: '#000000', border_radius: 8, settings: { border: '2px solid #ffd94d' } },
        ...{ text_stroke: '2px #102030', text_decoration: 'underline' },
        keyframes: [
          { time: 0, color: '#ff2020', background_color: '#ffffff', text_stroke_color: '#000000' },
          { time: 2, color: '#2020ff', background_color: 'transparent', text_stroke_color: '#ffffff' },
        ],
      },
      {
        ...{
          type: 'text',
          text: 'letters too',
          font: 'Anton',
          font_size: 30,
          y: 76,
          height: 50,
          animate: { in: 'scramble', out: { type: 'rise', by: 'letter' } },
        },
        keyframes: [
          { time: 0, color: '#ffd94d' },
          { time: 2, color: '#06d6a0' },
        ],
      },
    ],
    3,
  ],
  [
    'keyframes of settings',
    [
      {
        ...{ type: 'text', text: 'Set anew', font: 'Inter', font_size: 20, y: 4, height: 64 },
        keyframes: [
          { time: 0, letter_spacing: 0, font_weight: 400, settings: { padding: '2px 4px', 'background-color': '#d0006f', 'border-radius': 0 } },
          { time: 2, letter_spacing: '0.4em', font_weight: 800, settings: { padding: '8px 16px', 'background-color': '#14315c', 'border-radius': 20 } },
        ],
      },
      {
        ...{ type: 'component', component: 'motion/progress', x: 20, y: 72, width: 200, height: 60 },
        keyframes: [
          { time: 0, settings: { progress: { to: 20 } }, theme: { primary: '#d0006f' } },
          { time: 2, settings: { progress: { to: 90 } }, theme: { primary: '#06d6a0' } },
        ],
      },
    ],
    3,
  ],
  [
    'keyframes of sizes',
    [
      {
        ...{ type: 'image', src: 'hill.png', width: 40, height: 40, x: 10, y: 20, drop_shadow: true },
        keyframes: [
          { time: 0, width: 40, height: 40, drop_shadow: { y: 0, blur: 0, color: '#ff0000' } },
          { time: 2, width: 120, height: 100, drop_shadow: { y: 12, blur: 8, color: '#000000' } },
        ],
      },
      {
        ...{ type: 'video', src: 'film.mp4', width: 96, height: 54, x: 130, y: 40 },
        keyframes: [
          { time: 0, crop: { width: 160, height: 90 } },
          { time: 2, crop: { x: 60, y: 30, width: 64, height: 36 } },
        ],
      },
    ],
    8,
  ],
  [
    'glow and keyframes of the view',
    [
      {
        ...{ type: 'text', text: 'Frame', font: 'Anton', font_size: 22, x: 140, y: 84, width: 96, height: 48, background_color: '#203050' },
        ...{ padding: '4px 8px', settings: { border: '4px solid white', 'border-radius': '8px' } },
        keyframes: [
          { time: 0, border_color: '#ff2020', background_color: '#203050' },
          { time: 2, border_color: '#2020ff', background_color: '#502030' },
        ],
      },
      {
        type: 'text',
        text: 'Neon',
        font: 'Anton',
        font_size: 40,
        color: '#eaffff',
        x: 10,
        y: 8,
        width: 100,
        height: 50,
        glow: { color: '#00e5ff', radius: 10, intensity: 2 },
      },
      {
        ...{ type: 'image', src: 'hill.png', width: 80, x: 140, y: 20, rotate_y: 50 },
        keyframes: [
          { time: 0, perspective: '400vmax', glow: { intensity: 0 } },
          { time: 1, perspective: '50vmax', glow: { color: '#ffd166', radius: 12, intensity: 3 } },
        ],
      },
      {
        ...{ type: 'image', src: 'hill.png', width: 60, x: 40, y: 80, rotate: { angle: 30 }, anchor: 'top-left' },
        keyframes: [
          { time: 0, anchor: { x: 0 } },
          { time: 1, anchor: { x: 1, y: 1 } },
        ],
      },
    ],
    3,
  ],
  ['masked text', [{ type: 'text', text: 'Half of\nit shows', font: 'Anton', font_size: 44, mask: 'mask.png' }], 3],
  [
    'keyframes',
    [
      {
        type: 'image',
        src: 'hill.png',
        width: 100,
        keyframes: [
          { time: 0, x: 0, rotation: 0 },
          { time: '100%', x: 200, y: 80, rotation: 90 },
        ],
      },
    ],
    3,
  ],
];

test.each(kinds)('%s', async (kind, elements, tolerance) => {
  const script = { ...size, scenes: [{ duration: 2, background: '#28486a', elements }] };
  const frame = await withLocalRender(join(folder, 'movie.json'), loadConfig(), async (parts, workDir): Promise<Image> => {
    const { timeline, warnings } = await planMovie({ script, workDir, signal: new AbortController().signal }, parts);
    expect(warnings).toEqual([]);
    return composeOnBoth(parts.engine, timeline, 22);
  });
  await expectGolden(import.meta.url, kind.replaceAll(' ', '-'), frame, { tolerance, maxBytes: 60_000 });
});
