import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { chooseKeyColors, findScreenColor } from '../../../src/render/plan/key-colors.js';
import { parseMovie } from '../../../src/script/index.js';
import type { Clip } from '../../../src/timeline/index.js';
import { composeOnBoth } from '../../support/both-compositors.js';
import { ffmpeg } from '../../support/ffmpeg.js';
import { expectGolden, type Image, readPng, toPng } from '../../support/golden-image.js';
import { TestTimeline } from '../../support/scenery.js';

const folder = mkdtempSync(join(tmpdir(), 'golden-chroma-key-'));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = createEngine();
const scenery = new TestTimeline(folder);
const size = { width: 480, height: 320 };
const box = { x: 0, y: 0, ...size };
const screens = { green: [26, 158, 61], blue: [13, 64, 184] } as const;
const behind = [64, 24, 72] as const;

/** What stands before the screen, straight RGBA. */
const subjects = {
  hair: (context: SKRSContext2D, random: () => number) => {
    for (let i = 0; i < 260; i++) {
      const [x, lean] = [random() * 400 - 40, random() * 180 - 60];
      context.strokeStyle = `hsl(${28 + random() * 14}, 45%, ${30 + random() * 45}%)`;
      context.lineWidth = 1 + random() * 2.5;
      context.beginPath();
      context.moveTo(x, 330);
      context.quadraticCurveTo(x + lean * 0.2, 220, x + lean, 40 + random() * 220);
      context.stroke();
    }
  },
  glass: (context: SKRSContext2D) => {
    for (const [x, alpha] of [
      [40, 0.15],
      [180, 0.35],
      [320, 0.6],
    ] as const) {
      context.fillStyle = `rgba(225, 232, 240, ${alpha})`;
      context.beginPath();
      context.roundRect(x, 40, 112, 240, 28);
      context.fill();
      context.strokeStyle = `rgba(255, 255, 255, ${Math.min(1, alpha + 0.3)})`;
      context.lineWidth = 3;
      context.stroke();
    }
  },
  'moving ball': (context: SKRSContext2D) => {
    for (let i = 0; i < 40; i++) {
      context.globalAlpha = 1 / (i + 1);
      const layer = createCanvas(size.width, size.height);
      const own = layer.getContext('2d');
      own.fillStyle = '#d8a070';
      own.beginPath();
      own.arc(160 + i * 4, 160, 92, 0, 7);
      own.fill();
      // The mean of all positions: each new one replaces its share of what is there.
      context.globalCompositeOperation = 'destination-out';
      context.fillRect(0, 0, size.width, size.height);
      context.globalCompositeOperation = 'lighter';
      context.drawImage(layer, 0, 0);
      context.globalCompositeOperation = 'source-over';
    }
  },
};

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A subject before a screen with light, shadow and noise, and the same subject before `behind`. */
function shoot(subject: keyof typeof subjects, screen: readonly number[]): { shot: Image; ideal: Image } {
  const random = randomOf(7);
  const context = createCanvas(size.width, size.height).getContext('2d');
  subjects[subject](context, random);
  const { data } = context.getImageData(0, 0, size.width, size.height);
  const shot = new Uint8ClampedArray(data.length).fill(255);
  const ideal = new Uint8ClampedArray(data.length).fill(255);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const light = 0.95 + 0.2 * Math.sin(x / 180) * Math.cos(y / 240);
      const at = (y * size.width + x) * 4;
      const alpha = (data[at + 3] ?? 0) / 255;
      for (let c = 0; c < 3; c++) {
        const own = data[at + c] ?? 0;
        const spilled = Math.min(255, own + 0.06 * (screen[c] ?? 0));
        shot[at + c] = alpha * spilled + (1 - alpha) * (screen[c] ?? 0) * light + (random() - 0.5) * 5;
        ideal[at + c] = alpha * own + (1 - alpha) * (behind[c] ?? 0);
      }
    }
  }
  return { shot: { ...size, pixels: shot }, ideal: { ...size, pixels: ideal } };
}

function meanError(made: Image, ideal: Image): number {
  let sum = 0;
  for (let i = 0; i < ideal.pixels.length; i++) sum += Math.abs((made.pixels[i] ?? 0) - (ideal.pixels[i] ?? 0));
  return sum / ideal.pixels.length;
}

const hexOf = (color: readonly number[]): string => color.map((value) => value.toString(16).padStart(2, '0')).join('');

const keyed = (source: number, screen: readonly number[], more: Partial<NonNullable<Clip['chromaKey']>> = {}): Clip => ({
  start: 0,
  frames: 30,
  source,
  box,
  chromaKey: { color: `#${hexOf(screen)}ff`, tolerance: 25, ...more },
});

const background = `#${hexOf(behind)}ff`;
const cases = (Object.keys(subjects) as Array<keyof typeof subjects>).flatMap((subject) =>
  (Object.keys(screens) as Array<keyof typeof screens>).map((screen) => ({ subject, screen })),
);

describe('a chroma key', () => {
  test('keeps hair, glass and motion blur, far better than ffmpeg', { timeout: 120_000 }, async () => {
    const settings = [0.05, 0.08, 0.11].flatMap((similarity) => [0, 0.04, 0.08].map((blend) => `${similarity}:${blend}`));
    const own: number[] = [];
    const others = new Map(settings.map((setting) => [setting, 0]));
    for (const { subject, screen } of cases) {
      const color = screens[screen];
      const { shot, ideal } = shoot(subject, color);
      const png = toPng(shot);
      const timeline = scenery.timeline(size.width, size.height, { clips: [keyed(scenery.add('image', png), color)] }, background);
      own.push(meanError(await composeOnBoth(engine, timeline, 0), ideal));
      const [file, out] = [join(folder, 'shot.png'), join(folder, 'keyed.png')];
      writeFileSync(file, png);
      for (const [setting, sum] of others) {
        const keying = `format=yuv420p,chromakey=0x${hexOf(color)}:${setting},despill=type=${screen}`;
        const filter = `[0]${keying}[k];color=0x${hexOf(behind)}:s=${size.width}x${size.height}[b];[b][k]overlay=format=auto,format=rgba`;
        await ffmpeg('-i', file, '-filter_complex', filter, '-frames:v', '1', out);
        others.set(setting, sum + meanError(await readPng(readFileSync(out)), ideal) / cases.length);
      }
    }
    const mean = own.reduce((sum, error) => sum + error, 0) / own.length;
    expect(mean).toBeLessThan(0.65 * Math.min(...others.values()));
    expect(Math.max(...own)).toBeLessThan(7);
  });

  test('shows its matte and spill, and the effect of softness, despill and choke', async () => {
    const source = scenery.add('image', toPng(shoot('hair', screens.green).shot));
    const variants = [{}, { view: 'matte' }, { view: 'spill' }, { softness: 0 }, { despill: 0 }, { choke: 0.5 }] as const;
    const clips = variants.map((more, i) => ({
      ...keyed(source, screens.green, more),
      box: { x: (i % 3) * 160, y: Math.floor(i / 3) * 106, width: 160, height: 106 },
    }));
    const timeline = scenery.timeline(480, 212, { clips }, background);
    await expectGolden(import.meta.url, 'chroma-key', await composeOnBoth(engine, timeline, 0), { tolerance: 2, maxBytes: 200_000 });
  });

  test.each(cases)('without a colour takes that of the $screen screen behind $subject', async ({ subject, screen }) => {
    const { shot } = shoot(subject, screens[screen]);
    const color = findScreenColor({ ...size, pixels: Uint8Array.from(shot.pixels) });
    const [r, g, b] = screens[screen];
    expect(Math.hypot((color?.r ?? 0) - r, (color?.g ?? 0) - g, (color?.b ?? 0) - b)).toBeLessThan(50);
  });

  test('without a colour looks at the first frame, and warns if there is no screen', async () => {
    const grey: Image = { ...size, pixels: new Uint8ClampedArray(size.width * size.height * 4).fill(128) };
    const files = [shoot('hair', screens.blue).shot, grey].map((image, i) => {
      const path = join(folder, `first-${i}.png`);
      writeFileSync(path, toPng(image));
      return path;
    });
    const elements = files.map(() => ({ type: 'image', src: 'https://example.com/a.png', chroma_key: {} }));
    const movie = parseMovie({ scenes: [{ duration: 1, elements }] });
    const media = new Map(files.map((path, i) => [`scenes.0.elements.${i}`, { path, ...size, durationSeconds: 0, hasAudio: false }]));
    const chosen = await chooseKeyColors(movie, media as never, engine, new AbortController().signal);
    const colors = chosen.movie.scenes[0]?.elements.map((element) => 'chromaKey' in element && element.chromaKey?.color);
    expect(colors?.[0]).toMatchObject({ r: expect.closeTo(13, -1.5), g: expect.closeTo(64, -1.5), b: expect.closeTo(184, -1.5) });
    expect(colors?.[1]).toEqual({ r: 0, g: 255, b: 0, a: 255 });
    expect(chosen.warnings.map(({ path }) => path)).toEqual(['scenes.0.elements.1.chroma_key']);
  });
});
