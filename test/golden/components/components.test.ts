import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import { createAssets } from '../../../src/assets/index.js';
import { loadConfig } from '../../../src/config/index.js';
import { createEngine } from '../../../src/engine/index.js';
import { parseMovie, resolveDurations } from '../../../src/movie/index.js';
import { createOutbound } from '../../../src/outbound/index.js';
import { type Component, loadPacks, type Pack } from '../../../src/packs/index.js';
import { drawElements } from '../../../src/render/draw-elements.js';
import { createHtmlSprites, createTextSprites } from '../../../src/sprites/index.js';
import { compileTimeline } from '../../../src/timeline/index.js';

// Another Chromium may smooth a turned edge otherwise.
const tolerance = { native: 3, html: 40 };
const fps = 20;
const folder = mkdtempSync(join(tmpdir(), 'golden-components-'));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = createEngine();
const packs = loadPacks(undefined);
const config = loadConfig();
const outbound = createOutbound(config.outbound);
afterAll(() => outbound.close());
const { chromium } = config.html;

type Frame = { width: number; height: number; pixels: Uint8ClampedArray };

/** The component's preview in a third of its size, at its three moments. */
async function composePreview(pack: Pack, { id, preview }: Component): Promise<Frame> {
  const even = (length: number) => Math.round(length / 6) * 2;
  const size = { width: even(preview.width), height: even(preview.height) };
  const elements = [{ type: 'component', component: id, settings: preview.settings }];
  const script = { ...size, fps, scenes: [{ duration: preview.seconds, background: preview.background, elements }] };
  const assets = createAssets({ folder: join(folder, 'assets'), outbound, probe: (path) => engine.probe(path), localRoot: pack.folder });
  const movie = parseMovie(script, { checkUrl: assets.checkUrl, components: packs });
  const durations = resolveDurations(movie, () => undefined);
  const sprites = createTextSprites({ folder: join(folder, 'sprites') });
  const parts = { engine, assets, sprites, packs, checkUrl: assets.checkUrl, openHtml: (at: string) => createHtmlSprites({ folder: at, chromium }) };
  const { signal } = new AbortController();
  const drawn = await drawElements({ movie, durations, workDir: folder, signal, media: new Map(), words: new Map() }, parts);
  expect(drawn.warnings).toEqual([]);
  const timeline = Buffer.from(
    JSON.stringify(compileTimeline({ movie, durations, media: new Map(), masks: new Map(), pieces: drawn.pieces, pages: drawn.pages })),
  );
  const frames: Frame[] = [];
  for (const second of preview.at) {
    const { width, height, pixels } = await engine.composeFrame(timeline, Math.min(preview.seconds * fps - 1, Math.round(second * fps)));
    frames.push({ width, height, pixels: new Uint8ClampedArray(pixels) });
  }
  return stack(frames);
}

function stack(frames: readonly Frame[]): Frame {
  const { width = 0, height = 0 } = frames[0] ?? {};
  const pixels = new Uint8ClampedArray(width * height * 4 * frames.length);
  for (const [i, frame] of frames.entries()) pixels.set(frame.pixels, i * width * height * 4);
  return { width, height: height * frames.length, pixels };
}

function toPng({ width, height, pixels }: Frame): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(pixels);
  context.putImageData(image, 0, 0);
  return canvas.toBuffer('image/png');
}

async function readPng(path: string): Promise<Frame> {
  const image = await loadImage(readFileSync(path));
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width: image.width, height: image.height, pixels: context.getImageData(0, 0, image.width, image.height).data };
}

function largestDifference(a: Frame, b: Frame): number {
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY;
  return a.pixels.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (b.pixels[i] ?? 0))), 0);
}

const components = packs.packs.flatMap((pack) => pack.components.map((component) => [component.id, pack, component] as const));

describe('frames of', () => {
  test.each(components)('%s', async (id, pack, component) => {
    if (component.body.kind === 'html' && chromium === undefined) throw new Error("Chromium's headless shell is not installed");
    const actual = await composePreview(pack, component);
    const path = new URL(`${id.replace('/', '-')}.png`, import.meta.url).pathname;
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, toPng(actual));
    expect(existsSync(path), `${path} is missing`).toBe(true);
    expect(statSync(path).size).toBeLessThan(150_000);
    const difference = largestDifference(actual, await readPng(path));
    const allowed = tolerance[component.body.kind];
    const written = join(tmpdir(), `golden-component-${id.replace('/', '-')}-actual.png`);
    if (difference > allowed) writeFileSync(written, toPng(actual));
    expect(difference, difference > allowed ? `see ${written}` : '').toBeLessThanOrEqual(allowed);
  });

  test('as many pictures as components, and all that the other service has', () => {
    const ids = components.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const theirs = ['basic/000', 'basic/001', 'basic/050', 'basic/051', 'basic/052', 'basic/100', 'basic/120', 'basic/125', 'basic/200'];
    theirs.push('advanced/000', 'advanced/001', 'advanced/050', 'advanced/051', 'advanced/060', 'advanced/070', 'advanced/100', 'advanced/110');
    theirs.push('shape/rectangle', 'shape/polygon', 'shape/cutout', 'shape/3dbox', 'shape/html');
    expect(theirs.filter((id) => !ids.includes(id))).toEqual([]);
  });
});
