import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { loadPacks } from '../../../src/graphics/components/index.js';
import { createTextSprites } from '../../../src/graphics/index.js';
import { createOutbound } from '../../../src/outbound/index.js';
import { createAssets } from '../../../src/render/assets/index.js';
import { drawComponents } from '../../../src/render/draw/draw-components.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';

const folder = mkdtempSync(join(tmpdir(), 'component-extents-'));
const outbound = createOutbound({ allowPrivateHosts: [] });
const engine = createEngine();
const packs = loadPacks(undefined);
afterAll(async () => {
  await outbound.close();
  rmSync(folder, { recursive: true });
});

/** What a component of 400 × 200 pixels draws reaches from `left` to `right`; `rows` are the heights at which something begins. */
async function extentOf(component: string, settings: object): Promise<{ left: number; right: number; rows: number }> {
  const assets = createAssets({ folder: join(folder, 'assets'), outbound, probe: (path) => engine.probe(path) });
  const script = { width: 400, height: 200, scenes: [{ duration: 0.2, elements: [{ type: 'component', component, settings }] }] };
  const movie = parseMovie(script, { checkUrl: assets.checkUrl, components: packs });
  const durations = resolveDurations(movie, () => undefined);
  const request = { movie, durations, workDir: folder, signal: new AbortController().signal, media: new Map(), words: new Map() };
  const drawn = await drawComponents(request, { engine, assets, packs, sprites: createTextSprites({ folder: join(folder, 'sprites') }) });
  const pieces = [...drawn.pieces.values()].flat();
  expect(pieces.length).toBeGreaterThan(0);
  return {
    left: Math.min(...pieces.map(({ x }) => x)),
    right: Math.max(...pieces.map(({ x, width }) => x + width)),
    rows: new Set(pieces.map(({ y, height }) => Math.round((y + height) / 20))).size,
  };
}

const long = 'A considerably longer text than anybody expected to be written here';
// Shadows and the curves of letters reach a little beyond their lines.
const overhang = 4;

test('a text box without a width wraps within the room to the right of it', async () => {
  const { left, right } = await extentOf('textbox/000', { textbox1: { text: long, left: '30%', 'box-shadow': 'none' } });
  expect(left).toBeGreaterThanOrEqual(120 - overhang);
  expect(right).toBeLessThanOrEqual(400 + overhang);
});

test('the text around a number wraps, and stands where its lines are', async () => {
  const { left, right, rows } = await extentOf('advanced/060', { counter: { text: `${long} __num__ times`, 'font-size': '20px', to: 12345 } });
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(400);
  expect(rows).toBeGreaterThanOrEqual(2);
});
