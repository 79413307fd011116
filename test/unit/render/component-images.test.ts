import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { formatProblem } from '../../../src/errors/index.js';
import { loadPacks } from '../../../src/graphics/components/index.js';
import { createTextSprites } from '../../../src/graphics/index.js';
import { createOutbound } from '../../../src/outbound/index.js';
import { createAssets } from '../../../src/render/assets/index.js';
import { drawComponents } from '../../../src/render/draw/draw-components.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { startServer } from '../outbound/local-server.js';

const folder = mkdtempSync(join(tmpdir(), 'component-images-'));
const outbound = createOutbound({ allowPrivateHosts: ['127.0.0.1'] });
const engine = createEngine();
const packs = loadPacks(undefined);
const close: Array<() => unknown> = [() => rmSync(folder, { recursive: true }), () => outbound.close()];
afterAll(() => Promise.all(close.map((one) => one())));

/** PNG header of an image of 30,000 × 30,000 pixels. */
const tooLarge = Buffer.from('89504e470d0a1a0a0000000d49484452000075300000753001000000000000000049454e44', 'hex');

/** Warnings of a component with an image of these bytes. */
async function warningsOf(bytes: Buffer): Promise<string[]> {
  const server = await startServer((_request, response) => response.end(bytes));
  close.push(server.close);
  const src = `${server.origin.replace('://', '://user:secret@')}/image?signature=secret`;
  const element = { type: 'component', component: 'basic/200', settings: { image: { src } } };
  const assets = createAssets({ folder: join(folder, 'assets'), outbound, probe: (path) => engine.probe(path) });
  const script = { resolution: 'custom', width: 64, height: 48, scenes: [{ duration: 0.1, elements: [element] }] };
  const movie = parseMovie(script, { checkUrl: assets.checkUrl, components: packs });
  const request = {
    movie,
    durations: resolveDurations(movie, () => undefined),
    workDir: folder,
    signal: new AbortController().signal,
    media: new Map(),
    words: new Map(),
  };
  return (await drawComponents(request, { engine, assets, packs, sprites: createTextSprites({ folder: join(folder, 'sprites') }) })).warnings.map(
    formatProblem,
  );
}

it('the error of a rejected image names the property and the URL without credentials', async () => {
  const refusal = await warningsOf(tooLarge).catch((error: Error) => error.message);
  expect(refusal).toMatch(
    /^scenes\.0\.elements\.0\.settings\.image\.src: the image at http:\/\/127\.0\.0\.1:\d+\/image cannot be read: .* 30000x30000 is too large/,
  );
  const [warning, ...others] = await warningsOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><'));
  expect(others).toEqual([]);
  expect(warning).toMatch(/^scenes\.0\.elements\.0: the image http:\/\/127\.0\.0\.1:\d+\/image could not be read; it is left out$/);
});
