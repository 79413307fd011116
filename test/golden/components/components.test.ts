import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';
import { createEngine } from '../../../src/engine/index.js';
import { type Component, loadPacks, type Pack } from '../../../src/graphics/components/index.js';
import { createHtmlSprites, createTextSprites } from '../../../src/graphics/index.js';
import { createOutbound } from '../../../src/outbound/index.js';
import { createAssets } from '../../../src/render/assets/index.js';
import { drawElements } from '../../../src/render/draw/draw-elements.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { compileTimeline } from '../../../src/timeline/index.js';
import { composeGolden } from '../../support/both-compositors.js';
import { expectGolden, type Image, stack } from '../../support/golden-image.js';

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

/** The component's preview in a third of its size, at its three moments. */
async function composePreview(pack: Pack, { id, preview }: Component): Promise<Image> {
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
  const timeline = compileTimeline({ movie, durations, media: new Map(), masks: new Map(), pieces: drawn.pieces, pages: drawn.pages });
  const frames = preview.at.map((second) => Math.min(preview.seconds * fps - 1, Math.round(second * fps)));
  return stack(await composeGolden(engine, timeline, frames));
}

const components = packs.packs.flatMap((pack) => pack.components.map((component) => [component.id, pack, component] as const));

describe('frames of', () => {
  test.each(components)('%s', async (id, pack, component) => {
    if (component.body.kind === 'html' && chromium === undefined) throw new Error("Chromium's headless shell is not installed");
    const actual = await composePreview(pack, component);
    await expectGolden(import.meta.url, id.replace('/', '-'), actual, { tolerance: tolerance[component.body.kind], maxBytes: 150_000 });
  });

  test('every component has an image, and every component of JSON2Video exists', () => {
    const ids = components.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const theirs = ['basic/000', 'basic/001', 'basic/050', 'basic/051', 'basic/052', 'basic/100', 'basic/120', 'basic/125', 'basic/200'];
    theirs.push('advanced/000', 'advanced/001', 'advanced/050', 'advanced/051', 'advanced/060', 'advanced/070', 'advanced/100', 'advanced/110');
    theirs.push('shape/rectangle', 'shape/polygon', 'shape/cutout', 'shape/3dbox', 'shape/html');
    expect(theirs.filter((id) => !ids.includes(id))).toEqual([]);
  });
});
