import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { createEngine } from '../../src/engine/index.js';
import { loadPacks } from '../../src/graphics/components/index.js';
import { createTextSprites } from '../../src/graphics/index.js';
import { createOutbound } from '../../src/outbound/index.js';
import { createSpeechSynthesizer } from '../../src/providers/speech/index.js';
import { createRecogniser } from '../../src/providers/transcription/index.js';
import { createAssets } from '../../src/render/assets/index.js';
import { planMovie, type RenderContext, renderMovie } from '../../src/render/index.js';
import type { Timeline } from '../../src/timeline/index.js';
import { temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg } from '../support/ffmpeg.js';
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
    else if (request.url === '/speech.wav') response.end(readFileSync(join(folder.path, 'speech.wav')));
    else if (request.url === '/v1/audio/transcriptions') response.end(JSON.stringify(transcription));
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

const { signal } = new AbortController();

function open(name: string): { workDir: string; parts: RenderContext } {
  const engine = createEngine();
  const workDir = join(folder.path, name);
  const outbound = createOutbound({ allowPrivateHosts: [server.host] });
  const assets = createAssets({ folder: join(workDir, 'assets'), outbound, probe: (path) => engine.probe(path) });
  mkdirSync(workDir);
  const sprites = createTextSprites({ folder: join(workDir, 'sprites') });
  return { workDir, parts: { engine, assets, sprites, packs: loadPacks(undefined), checkUrl: assets.checkUrl } };
}

async function render(elements: object[], name: string, scenes: object[] = [{ duration: 2, background: '#000000', elements: [] }]) {
  const { workDir, parts } = open(name);
  const outputPath = join(folder.path, `${name}.mp4`);
  const script = { ...size, fps, scenes, elements };
  const output = await renderMovie({ script, workDir, outputPath, signal, onProgress: () => {} }, parts);
  return { ...output, path: outputPath };
}

type Pixel = readonly [number, number, number];
const isYellow = ([r, g, b]: Pixel) => r > 170 && g > 170 && b < 110;
const isWhite = ([r, g, b]: Pixel) => r > 170 && g > 170 && b > 170;

/** Counts, per frame, the pixels of an area that match. */
async function count(path: string, is: (pixel: Pixel) => boolean, crop = { x: 0, y: 0, ...size }): Promise<number[]> {
  const decoded = await decodeFrames(path, 'rgb', crop);
  return decoded.frames.map((pixels) => {
    let found = 0;
    for (let i = 0; i < pixels.length; i += 3) if (is([pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0])) found++;
    return found;
  });
}

/** The ranges of frames with matching pixels. */
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

test('SubRip captions appear only in their frames, at the bottom', async () => {
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

test('ASS karaoke highlights words in their frames without moving them', async () => {
  const ass =
    '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.40,0:00:01.60,x,,0,0,0,,{\\k40}MMM {\\k20}MMM {\\k60}MMM\n';
  const { path } = await render([{ type: 'subtitles', captions: ass, settings: look }], 'ass');
  // The centres of three equal words side by side.
  const word = (i: number) => ({ x: 60 + 80 * i, y: 110, width: 40, height: 70 });
  expect(stretches(await count(path, isYellow, word(0)))).toEqual([[10, 20]]);
  expect(stretches(await count(path, isYellow, word(1)))).toEqual([[20, 25]]);
  expect(stretches(await count(path, isYellow, word(2)))).toEqual([[25, 40]]);
  const ink = await count(path, (pixel) => isYellow(pixel) || isWhite(pixel));
  const shown = ink.slice(11, 39);
  expect(Math.max(...shown) - Math.min(...shown)).toBeLessThan(Math.max(...shown) * 0.06);
});

test('subtitles of a scene start with it and stay in it', async () => {
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

describe('subtitle files', () => {
  test('are downloaded, in UTF-16 and with their own font', async () => {
    const own = { captions: `${server.origin}/utf16.srt`, settings: { 'font-url': `${server.origin}/font.woff2`, 'font-size': 40 } };
    const fetched = await render([{ type: 'subtitles', ...own }], 'files');
    expect(fetched.warnings).toEqual([]);
    const named = await render([{ type: 'subtitles', captions, settings: look }], 'named');
    expect(await count(fetched.path, isWhite)).toEqual(await count(named.path, isWhite));
  });

  test('use a fallback font with a warning if the font file is broken', async () => {
    const broken = { type: 'subtitles', captions, settings: { ...look, 'font-url': `${server.origin}/page.ttf` } };
    const text = { type: 'text', text: 'x', duration: 1, settings: { 'font-family': `${server.origin}/missing.ttf?key=secret` } };
    const { warnings, path } = await render([broken, text], 'broken');
    expect(warnings).toEqual([
      expect.stringMatching(
        /^elements\.0: the file at http:.*\/page\.ttf is not a font file: .*; the address leads to a web page; another font is used instead$/,
      ),
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

/** The frames in which elements of the movie are visible. */
function stretchesOfClips({ over }: Timeline): Array<[number, number]> {
  const seen = new Set(over.flatMap(({ start, frames }) => Array.from({ length: frames }, (_, i) => start + i)));
  const last = Math.max(0, ...seen);
  return stretches(Array.from({ length: last + 1 }, (_, frame) => (seen.has(frame) ? 99 : 0)));
}

test('subtitles of a voice appear while it speaks', async () => {
  const { workDir, parts } = open('voice');
  const config = loadConfig({ ...process.env, FRAMEWRIGHT_DATA_DIR: workDir });
  const voice = { type: 'voice', text: 'One two three four five six.', model: 'offline', start: 0.4 };
  const scenes = [{ duration: 1, elements: [] }, { elements: [voice] }];
  const script = { ...size, fps, scenes, elements: [{ type: 'subtitles', settings: { ...look, 'max-words-per-line': 2, style: 'boxed-word' } }] };
  const { timeline, warnings } = await planMovie({ script, workDir, signal }, { ...parts, voices: createSpeechSynthesizer(config.voice, config.outbound) });
  expect(warnings).toEqual([]);
  const [sound] = timeline.audio;
  const from = sound?.start ?? 0;
  expect(from).toBe(35);
  const seen = stretchesOfClips(timeline);
  expect(seen[0]?.[0]).toBeGreaterThanOrEqual(from);
  expect(seen[0]?.[0]).toBeLessThan(from + 10);
  expect(seen.at(-1)?.[1]).toBeLessThanOrEqual(from + (sound?.frames ?? 0) + 10);
  // One box at a time, of six words.
  const boxes = timeline.over.filter(({ fill }) => fill !== undefined).sort((a, b) => a.start - b.start);
  expect(boxes).toHaveLength(6);
  for (const [i, box] of boxes.slice(1).entries()) expect(box.start).toBeGreaterThanOrEqual((boxes[i]?.start ?? 0) + (boxes[i]?.frames ?? 0));
});

const transcription = {
  text: 'Hello there.',
  words: [
    { word: 'Hello', start: 0.5, end: 0.9 },
    { word: 'there', start: 1, end: 1.4 },
  ],
};

test('subtitles of a sound come from speech recognition if it is available', async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=3', join(folder.path, 'speech.wav'));
  const elements = [
    { type: 'audio', src: `${server.origin}/speech.wav`, start: 1, seek: 0.7 },
    { type: 'subtitles', settings: look },
  ];
  const script = { ...size, fps, scenes: [{ duration: 4, elements }] };
  const heard = open('heard');
  const recogniser = createRecogniser(
    { service: { key: undefined, url: `${server.origin}/v1`, model: 'whisper-1', host: server.host } },
    { allowPrivateHosts: [] },
    heard.parts.engine,
  );
  const { timeline, warnings } = await planMovie({ script, workDir: heard.workDir, signal }, { ...heard.parts, recogniser });
  expect(warnings).toEqual([]);
  const clips = timeline.sections[0]?.clips ?? [];
  // The file is heard from 0.7 s on, at 1 s; the words stay 0.4 s after the last.
  expect([Math.min(...clips.map(({ start }) => start)), Math.max(...clips.map(({ start, frames }) => start + frames))]).toEqual([25, 53]);
  const deaf = open('deaf');
  const without = await planMovie({ script, workDir: deaf.workDir, signal }, deaf.parts);
  expect(without.warnings).toEqual([
    { path: 'scenes.0.elements.1', message: expect.stringMatching(/^no subtitles are drawn: .*speech recognition is not configured/) },
  ]);
  expect(without.timeline.sections[0]?.clips).toEqual([]);
});

test('subtitles without captions and voices cause a warning', async () => {
  const { warnings } = await render([{ type: 'subtitles' }], 'nothing');
  expect(warnings).toEqual([expect.stringMatching(/^elements\.0: no subtitles are drawn: there are no captions and there is no speech$/)]);
});
