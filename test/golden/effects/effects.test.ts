import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { foldGrade, parseCube } from '../../../src/graphics/index.js';
import type { Clip, Timeline } from '../../../src/timeline/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { draw, expectGolden, type Image, largestDifference, readPng } from '../../support/golden-image.js';
import { packSequence, TestTimeline } from '../../support/scenery.js';

const limits = { tolerance: 2, maxBytes: 120_000 };
const folder = mkdtempSync(join(tmpdir(), 'golden-effects-'));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = createEngine();
const schema = JSON.parse(readFileSync(new URL('../../../schema/timeline.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strict: false }).compile(schema);
const scenery = new TestTimeline(folder);

const cell = { width: 96, height: 72 };
const modes = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'add',
] as const;

const backdropPng = draw(cell.width, cell.height, (context) => {
  const across = context.createLinearGradient(0, 0, cell.width, 0);
  for (const [stop, color] of [
    [0, '#101010'],
    [0.35, '#b03030'],
    [0.7, '#e0c060'],
    [1, '#f4f4f4'],
  ] as const)
    across.addColorStop(stop, color);
  context.fillStyle = across;
  context.fillRect(0, 0, cell.width, cell.height);
});
const sourcePng = draw(cell.width, cell.height, (context) => {
  const down = context.createLinearGradient(0, 0, 0, cell.height);
  for (const [stop, color] of [
    [0, '#ffffff'],
    [0.4, '#40a0e0'],
    [0.75, '#306040'],
    [1, '#080808'],
  ] as const)
    down.addColorStop(stop, color);
  context.fillStyle = down;
  context.fillRect(0, 0, cell.width, cell.height);
});
const backdrop = scenery.add('image', backdropPng);
const source = scenery.add('image', sourcePng);

const photo = scenery.add(
  'image',
  draw(160, 120, (context) => {
    const sky = context.createLinearGradient(0, 0, 0, 120);
    sky.addColorStop(0, '#4a90d0');
    sky.addColorStop(1, '#e8d0a0');
    context.fillStyle = sky;
    context.fillRect(0, 0, 160, 120);
    context.fillStyle = '#f0e040';
    context.beginPath();
    context.arc(112, 36, 20, 0, 7);
    context.fill();
    context.fillStyle = '#306038';
    context.beginPath();
    context.moveTo(0, 120);
    context.lineTo(50, 50);
    context.lineTo(90, 100);
    context.lineTo(120, 70);
    context.lineTo(160, 120);
    context.fill();
  }),
);
const letter = scenery.add(
  'image',
  draw(96, 72, (context) => {
    context.strokeStyle = '#ffffff';
    context.lineWidth = 12;
    context.lineJoin = 'round';
    context.strokeRect(16, 16, 28, 40);
    context.beginPath();
    context.moveTo(58, 58);
    context.lineTo(70, 14);
    context.lineTo(82, 58);
    context.stroke();
  }),
);
const greenShot = scenery.add(
  'image',
  draw(96, 72, (context) => {
    const wall = context.createLinearGradient(0, 0, 96, 72);
    wall.addColorStop(0, '#10a038');
    wall.addColorStop(1, '#30d858');
    context.fillStyle = wall;
    context.fillRect(0, 0, 96, 72);
    context.fillStyle = '#c88a68';
    context.beginPath();
    context.arc(48, 28, 16, 0, 7);
    context.fill();
    context.fillStyle = '#384070';
    context.fillRect(28, 46, 40, 26);
    context.strokeStyle = '#302018';
    context.lineWidth = 1.5;
    for (let i = 0; i < 9; i++) {
      context.beginPath();
      context.moveTo(48, 20);
      context.lineTo(28 + i * 5, 4);
      context.stroke();
    }
  }),
);
const roundMask = scenery.add(
  'image',
  draw(64, 64, (context) => {
    const spot = context.createRadialGradient(32, 32, 12, 32, 32, 32);
    spot.addColorStop(0, '#ffffff');
    spot.addColorStop(1, '#000000');
    context.fillStyle = spot;
    context.fillRect(0, 0, 64, 64);
  }),
);
const bars = Array.from({ length: 6 }, (_, frame) =>
  draw(48, 36, (context) => {
    context.fillStyle = '#ffffff';
    context.fillRect(frame * 8, 0, 8, 36);
  }),
);
const barSequence = scenery.add('sequence', packSequence(bars, 48, 36, 30));

async function compose(timeline: Timeline, frame: number): Promise<Image> {
  expect(validate(timeline), JSON.stringify(validate.errors)).toBe(true);
  const { width, height, pixels } = await engine.composeFrame(Buffer.from(JSON.stringify(timeline)), frame);
  return { width, height, pixels: new Uint8ClampedArray(pixels) };
}

/** Each cell's clips in a grid, with margins; `make` gets the cell's box. */
function grid(count: number, columns: number, make: (index: number, box: Clip['box']) => Clip[]): { width: number; height: number; clips: Clip[] } {
  const step = { x: cell.width + 16, y: cell.height + 16 };
  const boxes = Array.from({ length: count }, (_, i) => ({ x: 8 + (i % columns) * step.x, y: 8 + Math.floor(i / columns) * step.y, ...cell }));
  return { width: columns * step.x, height: Math.ceil(count / columns) * step.y, clips: boxes.flatMap((box, i) => make(i, box)) };
}

const whole = { start: 0, frames: 30 };

describe('blend modes', () => {
  const sheet = grid(modes.length, 5, (i, box) => {
    const blend = modes[i] ?? 'normal';
    return [
      { ...whole, source: backdrop, box },
      { ...whole, source, box, blend },
    ];
  });

  test('match their expected images', async () => {
    await expectGolden(import.meta.url, 'blends', await composeOnBoth(engine, scenery.timeline(sheet.width, sheet.height, sheet), 0), limits);
  });

  test('match Skia', async () => {
    const actual = await compose(scenery.timeline(sheet.width, sheet.height, sheet), 0);
    const canvas = createCanvas(sheet.width, sheet.height);
    const context = canvas.getContext('2d');
    const images = [await loadImage(backdropPng), await loadImage(sourcePng)] as const;
    for (const [i, mode] of modes.entries()) {
      const { box } = sheet.clips[2 * i] as Clip;
      context.globalCompositeOperation = 'source-over';
      context.drawImage(images[0], box.x, box.y);
      context.globalCompositeOperation = mode === 'normal' ? 'source-over' : mode === 'add' ? 'lighter' : mode;
      context.drawImage(images[1], box.x, box.y);
    }
    const expected = { width: sheet.width, height: sheet.height, pixels: context.getImageData(0, 0, sheet.width, sheet.height).data };
    for (const [i, mode] of modes.entries()) {
      const { box } = sheet.clips[2 * i] as Clip;
      const inner = { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4 };
      // Dodge and burn are steep: a rounded sample becomes many levels.
      const allowed = mode.startsWith('color-') ? 40 : 12;
      expect(largestDifference(actual, expected, inner), mode).toBeLessThanOrEqual(allowed);
    }
  });
});

describe('effects', () => {
  const plain = { ...whole, source: photo };
  const key = { color: '#20b848ff', tolerance: 25 };
  const effects: Array<Partial<Clip>> = [
    { ...plain, cornerRadius: 20 },
    { ...plain, cornerRadius: 20, rotation: 15, scale: 0.8 },
    {
      ...plain,
      reveal: {
        left: 0.2,
        bottom: [
          { frame: 0, value: 0 },
          { frame: 20, value: 1 },
        ],
      },
    },
    { ...plain, reveal: { right: 0.4, top: 0.1 }, rotation: -12, scale: 0.9 },
    { ...plain, blur: 1.5 },
    { ...plain, blur: 7 },
    { ...whole, source: letter, blur: 3 },
    { ...plain, blur: 6, cornerRadius: 24, scale: 0.7 },
    { ...plain, correction: { brightness: 0.1, contrast: 1.4, gamma: 1, saturation: 1.8 } },
    { ...plain, correction: { brightness: 0, contrast: 1, gamma: 0.6, saturation: 0 } },
    { ...whole, source: greenShot },
    { ...whole, source: greenShot, chromaKey: key },
    { ...whole, source: greenShot, chromaKey: key, rotation: 20, scale: 0.8 },
    { ...plain, mask: { source: roundMask } },
    { ...plain, mask: { source: barSequence, media: { in: 0, loops: -1 } } },
    { ...whole, source: barSequence, media: { in: 0, loops: -1 } },
    { ...whole, fill: '#e06030ff', cornerRadius: 30, opacity: 0.6 },
    { ...whole, source: letter, piece: { rotation: 30, scaleX: 0.8 } },
    { ...whole, source: letter, blend: 'difference', opacity: 0.8, rotation: 5 },
    { ...plain, mask: { source: letter }, blend: 'screen', blur: 1, cornerRadius: 10, flipX: true },
  ];
  const sheet = grid(effects.length, 5, (i, box) => [{ ...(effects[i] as Clip), box }]);

  test('match their expected images', async () => {
    const stripes: Clip[] = Array.from({ length: 8 }, (_, i) => ({
      ...whole,
      fill: i % 2 === 0 ? '#4a6a8aff' : '#28486aff',
      box: { x: 0, y: (i * sheet.height) / 8, width: sheet.width, height: sheet.height / 8 },
    }));
    await expectGolden(
      import.meta.url,
      'effects',
      await composeOnBoth(engine, scenery.timeline(sheet.width, sheet.height, { clips: [...stripes, ...sheet.clips] }), 10),
      limits,
    );
  });

  test('are the same on clips below and above the sections', async () => {
    const size = [sheet.width, sheet.height] as const;
    const among = await compose(scenery.timeline(...size, { clips: sheet.clips }, '#000000ff'), 10);
    const below = await compose(scenery.timeline(...size, { under: sheet.clips, clips: [] }, '#00000000'), 10);
    const above = await compose(scenery.timeline(...size, { over: sheet.clips, clips: [] }, '#000000ff'), 10);
    expect(largestDifference(among, below)).toBe(0);
    expect(largestDifference(among, above)).toBe(0);
  });

  test('blur and round corners match Skia', async () => {
    const box = { x: 40, y: 32, width: 80, height: 56 };
    const soft = await compose(scenery.timeline(160, 120, { clips: [{ ...whole, fill: '#ffffffff', box, blur: 6 }] }, '#000000ff'), 0);
    const round = await compose(scenery.timeline(160, 120, { clips: [{ ...whole, fill: '#ffffffff', box, cornerRadius: 18 }] }, '#000000ff'), 0);
    const drawn = async (filter: string, radius: number) =>
      readPng(
        draw(160, 120, (context) => {
          context.fillRect(0, 0, 160, 120);
          context.filter = filter;
          context.fillStyle = '#ffffff';
          context.beginPath();
          context.roundRect(box.x, box.y, box.width, box.height, radius);
          context.fill();
        }),
      );
    // Skia blurs with boxes, which come near a Gaussian; the engine's tests compare with a true one.
    expect(largestDifference(soft, await drawn('blur(6px)', 0))).toBeLessThanOrEqual(10);
    // Skia's four corners differ among each other by nearly as much.
    expect(largestDifference(round, await drawn('none', 18))).toBeLessThanOrEqual(40);
  });
});

describe('color tables', () => {
  const vertices = [0, 0.5, 1].flatMap((b) =>
    [0, 0.5, 1].flatMap((g) => [0, 0.5, 1].map((r) => [r ** 0.8, (0.2 * r + 0.7 * g) ** 1.2, 0.15 + 0.6 * b].join(' '))),
  );
  const cube = parseCube(`LUT_3D_SIZE 3\n${vertices.join('\n')}`);
  const grades = [
    { lut: { cube, amount: 1 } },
    { lut: { cube, amount: 0.4 } },
    { whiteBalance: { temperature: 60, tint: 0 } },
    { whiteBalance: { temperature: -50, tint: 40 } },
    {
      curves: {
        master: [
          [0, 0],
          [0.25, 0.12],
          [0.75, 0.88],
          [1, 1],
        ],
        blue: [
          [0, 0.2],
          [1, 0.8],
        ],
      } as const,
    },
  ].map((grade) => scenery.add('colorTable', foldGrade(grade)));
  const plain = { ...whole, source: photo };
  const looks: Array<Partial<Clip>> = [
    plain,
    ...grades.map((source) => ({ ...plain, grade: { tables: [{ source }] } })),
    { ...whole, source: letter, grade: { tables: [{ source: grades[0] as number }] } },
    { ...plain, grade: { tables: [{ source: grades[4] as number }] }, opacity: 0.6, rotation: 12, scale: 0.8 },
    {
      ...plain,
      grade: { tables: [{ source: grades[0] as number }] },
      correction: { brightness: 0.1, contrast: 1.3, gamma: 1, saturation: 0.7 },
      cornerRadius: 14,
      blur: 1,
    },
    { ...plain, grade: { tables: [{ source: grades[0] as number }, { source: grades[1] as number }], position: 0.5 } },
    { ...plain, grade: { tables: [{ source: grades[2] as number }] }, mask: { source: letter }, blend: 'screen' },
  ];

  test('map colours as expected', async () => {
    const sheet = grid(looks.length, 5, (i, box) => [{ ...(looks[i] as Clip), box }]);
    const timeline = scenery.timeline(sheet.width, sheet.height, { clips: sheet.clips }, '#28486aff');
    await expectGolden(import.meta.url, 'grades', await composeOnBoth(engine, timeline, 10), limits);
  });

  test('are mixed between two tables as their results are', async () => {
    const [first, last] = [scenery.add('colorTable', foldGrade({})), grades[0] as number];
    const at = (position: number) =>
      composeOnBoth(
        engine,
        scenery.timeline(
          160,
          120,
          { clips: [{ ...plain, grade: { tables: [{ source: first }, { source: last }], position }, box: { x: 0, y: 0, width: 160, height: 120 } } as Clip] },
          '#000000ff',
        ),
        0,
      );
    const [start, middle, end] = [await at(0), await at(0.25), await at(1)];
    const expected = { ...start, pixels: start.pixels.map((level, i) => level + ((end.pixels[i] as number) - level) * 0.25) };
    expect(largestDifference(start, end)).toBeGreaterThan(20);
    expect(largestDifference(middle, expected)).toBeLessThanOrEqual(4);
  });

  test('of unchanged colours change nothing', async () => {
    const identity = scenery.add('colorTable', foldGrade({}));
    const frame = (clip: Partial<Clip>) =>
      compose(scenery.timeline(160, 120, { clips: [{ ...plain, ...clip, box: { x: 0, y: 0, width: 160, height: 120 } } as Clip] }, '#000000ff'), 0);
    expect(largestDifference(await frame({}), await frame({ grade: { tables: [{ source: identity }] } }))).toBeLessThanOrEqual(4);
  });
});
