import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAssets } from '../../src/assets/index.js';
import { createEngine } from '../../src/engine/index.js';
import { createOutbound } from '../../src/outbound/index.js';
import { renderMovie } from '../../src/render/index.js';
import { createTextSprites } from '../../src/sprites/index.js';
import { temporaryFolder } from '../support/cli.js';
import { decodeFrames, pixelAt } from '../support/ffmpeg.js';
import { type LocalServer, startServer } from '../unit/outbound/local-server.js';

let folder: { path: string; remove: () => Promise<void> };
let server: LocalServer;
const font = join(dirname(createRequire(import.meta.url).resolve('@fontsource/anton/package.json')), 'files', 'anton-latin-400-normal.woff2');
const captions = '1\n00:00:00,400 --> 00:00:00,800\nWWWW WWWW\n\n2\n00:00:01,200 --> 00:00:01,700\nMMMM MMMM\n';

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer((request, response) => {
    if (request.url === '/utf16.srt') response.end(Buffer.from(`\ufeff${captions}`, 'utf16le'));
    else if (request.url === '/font.woff2') response.end(readFileSync(font));
    else if (request.url === '/page.ttf') response.end('<!doctype html>');
    else if (request.url === '/large.srt') response.end(Buffer.alloc(1_100_000, 0x20));
    else response.writeHead(404).end();
  });
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

const size = { width: 320, height: 180 };
const fps = 25;

async function render(elements: object[], name: string, scenes: object[] = [{ duration: 2, background: '#000000', elements: [] }]) {
  const engine = createEngine();
  const workDir = join(folder.path, name);
  const outbound = createOutbound({ allowPrivateHosts: [server.host] });
  const assets = createAssets({ folder: join(workDir, 'assets'), outbound, probe: (path) => engine.probe(path) });
  const outputPath = join(folder.path, `${name}.mp4`);
  mkdirSync(workDir);
  const output = await renderMovie(
    { script: { ...size, fps, scenes, elements }, workDir, outputPath, signal: new AbortController().signal, onProgress: () => {} },
    { engine, assets, sprites: createTextSprites({ folder: join(workDir, 'sprites') }), checkUrl: assets.checkUrl },
  );
  await outbound.close();
  return { ...output, path: outputPath };
}

type Pixel = readonly [number, number, number];
const isYellow = ([r, g, b]: Pixel) => r > 170 && g > 170 && b < 110;
const isWhite = ([r, g, b]: Pixel) => r > 170 && g > 170 && b > 170;

/** In each frame of a file, how many pixels of an area are of a kind. */
async function count(path: string, is: (pixel: Pixel) => boolean, crop = { x: 0, y: 0, ...size }): Promise<number[]> {
  const decoded = await decodeFrames(path, 'rgb', crop);
  return decoded.frames.map((_, frame) => {
    let found = 0;
    for (let y = 0; y < crop.height; y++) for (let x = 0; x < crop.width; x++) if (is(pixelAt(decoded, frame, x, y) as unknown as Pixel)) found++;
    return found;
  });
}

/** The stretches of frames in which something is there. */
function stretches(counts: readonly number[]): Array<[number, number]> {
  const found: Array<[number, number]> = [];
  for (const [frame, value] of counts.entries()) {
    if (value < 20) continue;
    const last = found.at(-1);
    if (last && last[1] === frame) last[1] = frame + 1;
    else found.push([frame, frame + 1]);
  }
  return found;
}

const look = { 'font-family': 'Anton', 'font-size': 40, 'max-words-per-line': 4 };

test('captions in SubRip are seen in their frames alone, at the bottom', async () => {
  const { path, warnings } = await render([{ type: 'subtitles', captions, settings: look }], 'srt');
  expect(warnings).toEqual([]);
  const seen: Array<[number, number]> = [
    [10, 20],
    [30, 43],
  ];
  expect(stretches(await count(path, isWhite))).toEqual(seen);
  expect(stretches(await count(path, isWhite, { x: 0, y: 0, width: 320, height: 110 }))).toEqual([]);
  expect(stretches(await count(path, isYellow))).toEqual([]);
});

test('karaoke in ASS lights the words in their frames, and moves nothing', async () => {
  const ass =
    '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.40,0:00:01.60,x,,0,0,0,,{\\k40}MMM {\\k20}MMM {\\k60}MMM\n';
  const { path } = await render([{ type: 'subtitles', captions: ass, settings: look }], 'ass');
  // The middles of three equal words side by side.
  const word = (i: number) => ({ x: 60 + 80 * i, y: 110, width: 40, height: 70 });
  expect(stretches(await count(path, isYellow, word(0)))).toEqual([[10, 20]]);
  expect(stretches(await count(path, isYellow, word(1)))).toEqual([[20, 25]]);
  expect(stretches(await count(path, isYellow, word(2)))).toEqual([[25, 40]]);
  const ink = await count(path, (pixel) => isYellow(pixel) || isWhite(pixel));
  const shown = ink.slice(11, 39);
  expect(Math.max(...shown) - Math.min(...shown)).toBeLessThan(Math.max(...shown) * 0.06);
});

test('of a scene, they count from its start and stay in it', async () => {
  const blank = { duration: 1, background: '#000000', elements: [] };
  const { path } = await render([], 'scene', [
    blank,
    { ...blank, elements: [{ type: 'subtitles', captions: captions.replace('01,200', '00,900'), settings: look }] },
  ]);
  expect(stretches(await count(path, isWhite))).toEqual([
    [35, 45],
    [48, 50],
  ]);
});

describe('files of subtitles', () => {
  test('in UTF-16 and with a font of their own are fetched', async () => {
    const own = { captions: `${server.origin}/utf16.srt`, settings: { 'font-url': `${server.origin}/font.woff2`, 'font-size': 40 } };
    const fetched = await render([{ type: 'subtitles', ...own }], 'files');
    expect(fetched.warnings).toEqual([]);
    const named = await render([{ type: 'subtitles', captions, settings: look }], 'named');
    expect(await count(fetched.path, isWhite)).toEqual(await count(named.path, isWhite));
  });

  test('that are no font are a warning, and another font is used', async () => {
    const broken = { type: 'subtitles', captions, settings: { ...look, 'font-url': `${server.origin}/page.ttf` } };
    const text = { type: 'text', text: 'x', duration: 1, settings: { 'font-family': `${server.origin}/missing.ttf?key=secret` } };
    const { warnings, path } = await render([broken, text], 'broken');
    expect(warnings).toEqual([
      expect.stringMatching(/^elements\.0: the file at http:.*\/page\.ttf is no font: .*; the address leads to a web page; another font is used instead$/),
      expect.stringMatching(/^elements\.1: the font at http:.*\/missing\.ttf answered 404; another font is used instead$/),
    ]);
    expect(stretches(await count(path, isWhite, { x: 0, y: 120, width: 320, height: 60 }))).toHaveLength(2);
  });

  test.each([
    ['not there', 'none.srt', /^elements\.0\.captions: the captions file at http:.*none\.srt answered 404/],
    ['too large', 'large.srt', /is larger than the 1 MiB allowed/],
  ])('that are %s fail the render', async (_, name, message) => {
    await expect(render([{ type: 'subtitles', captions: `${server.origin}/${name}` }], `failing-${name}`)).rejects.toThrow(message);
  });
});

test('without captions and voices there is a warning', async () => {
  const { warnings } = await render([{ type: 'subtitles' }], 'nothing');
  expect(warnings).toEqual([expect.stringMatching(/^elements\.0: there are no captions, and nobody speaks$/)]);
});
