import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTextSprites, drawSubtitles, parseCaptions } from '../../../../src/graphics/index.js';
import { movingStyles, parseMovie, type SubtitlesElement } from '../../../../src/script/index.js';
import type { Piece } from '../../../../src/timeline/index.js';
import { readSprite } from '../../../support/sprite-image.js';

const folder = mkdtempSync(join(tmpdir(), 'moving-styles-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sprites = createTextSprites({ folder });

const FPS = 25;
const canvases = { landscape: { width: 1280, height: 720 }, square: { width: 720, height: 720 }, portrait: { width: 720, height: 1280 } };
const texts = {
  English: ['Making', 'extraordinary', 'videos', 'should', 'feel', 'easy'],
  German: ['Die', 'Geschwindigkeitsbegrenzung', 'der', 'Donaudampfschifffahrtsgesellschaft'],
  Arabic: ['مرحبا', 'بكم', 'في', 'العالم'],
  Japanese: ['動画を', '簡単に', '作りましょう'],
};

/** Each word is spoken for half a second. */
const captionsOf = (words: readonly string[]): string =>
  `WEBVTT\n\n00:00:00.000 --> 00:00:05.000\n${words.map((word, index) => `<00:00:0${(index * 0.5).toFixed(3)}>${word}`).join(' ')}\n`;

async function draw(style: string, words: readonly string[], canvas: { width: number; height: number }, settings: object = {}) {
  const script = {
    ...canvas,
    fps: FPS,
    scenes: [{ duration: 5 }],
    elements: [{ type: 'subtitles', captions: captionsOf(words), settings: { style, ...settings } }],
  };
  const [element] = parseMovie(script, { checkUrl: () => undefined }).elements as [SubtitlesElement];
  const cues = parseCaptions(captionsOf(words));
  const { pieces, warnings } = await drawSubtitles(
    { path: element.path, cues, look: element.look, language: 'auto', canvas, fps: { num: FPS, den: 1 }, frames: 5 * FPS },
    sprites,
  );
  return { pieces, look: element.look, warnings };
}

/** Where the pieces are at rest. */
const bounds = (pieces: readonly Piece[]) => ({
  left: Math.min(...pieces.map(({ x }) => x)),
  right: Math.max(...pieces.map(({ x, width }) => x + width)),
  top: Math.min(...pieces.map(({ y }) => y)),
  bottom: Math.max(...pieces.map(({ y, height }) => y + height)),
});

const isMoving = ({ opacity, shiftY, scaleX, reveal, shiftX }: Piece): boolean => [opacity, shiftY, scaleX, reveal, shiftX].some((one) => one !== undefined);

describe.each([...movingStyles])('the style %s', (style) => {
  it.each(Object.entries(canvases))('stands in the safe area of a %s canvas, with words in one part', async (shape, canvas) => {
    for (const [language, words] of Object.entries(texts)) {
      const { pieces } = await draw(style, words, canvas);
      const { left, right, top, bottom } = bounds(pieces);
      const [side, foot] = shape === 'portrait' ? [0.1, 0.8] : [0.02, 1];
      expect(left, language).toBeGreaterThanOrEqual(side * canvas.width);
      expect(right, language).toBeLessThanOrEqual((1 - side) * canvas.width);
      expect(top, language).toBeGreaterThanOrEqual(0.1 * canvas.height);
      expect(bottom, language).toBeLessThanOrEqual(foot * canvas.height);
      expect(pieces.some(isMoving), language).toBe(true);
    }
  });

  it('moves words within their time, from the first frame on', async () => {
    const { pieces } = await draw(style, texts.English, canvases.landscape);
    for (const { start = 0, frames = 0, opacity, shiftY, scaleX } of pieces) {
      expect(frames).toBeGreaterThan(0);
      for (const curve of [opacity, shiftY, scaleX]) {
        const times = (curve ?? []).map(({ frame }) => frame);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(new Set(times).size).toBe(times.length);
      }
      expect(start + frames).toBeLessThanOrEqual(5 * FPS);
    }
  });

  it('takes the settings of the script before its own', async () => {
    const { look } = await draw(style, texts.English, canvases.portrait, {
      'font-family': 'Inter',
      'font-size': 30,
      'word-color': '#123456',
      position: 'top-left',
      'outline-width': 1,
    });
    expect(look).toMatchObject({
      fontFamily: 'Inter',
      fontSize: 30,
      position: 'top-left',
      outline: { width: 1 },
      wordColor: { r: 0x12, g: 0x34, b: 0x56, a: 255 },
    });
  });
});

it('words do not move their neighbours: the gaps are the same whichever word is spoken', async () => {
  for (const style of ['pop', 'box-slide', 'gradient', 'glow', 'karaoke-fill']) {
    const { pieces } = await draw(style, ['one', 'three', 'forty'], canvases.landscape);
    const places = new Map<string, number[]>();
    for (const { x, y, width, kind } of pieces) if (kind === 'sprite') places.set(`${y} ${width}`, [...(places.get(`${y} ${width}`) ?? []), x]);
    // Each layer of a word has one place for all of its time.
    for (const [key, xs] of places) expect(new Set(xs).size, `${style} ${key}`).toBe(1);
  }
});

it('emphasis enlarges long words and keywords', async () => {
  const plain = await draw('emphasis', ['a', 'b', 'c'], canvases.landscape);
  const keyword = await draw('emphasis', ['a', 'b', 'c'], canvases.landscape, { keywords: ['b'] });
  const heights = ({ pieces }: { pieces: Piece[] }) => Math.max(...pieces.map(({ height }) => height));
  expect(heights(keyword)).toBeGreaterThan(heights(plain) * 1.1);
});

it('a word is not broken over lines', async () => {
  const long = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz';
  const { pieces } = await draw('pop', [long], canvases.portrait);
  const rows = new Set(pieces.map(({ y }) => Math.round(y / 20)));
  expect(rows.size).toBeLessThanOrEqual(2);
});

it.each(['pop', 'stack', 'emphasis'])('a long word makes no other word of the style %s smaller', async (style) => {
  const long = 'Donaudampfschifffahrtsgesellschaftskapitän';
  const sizesOf = async (words: string[], canvas: { width: number; height: number }) => {
    const { pieces } = await draw(style, words, canvas, { 'max-words-per-line': 3 });
    return { ...bounds(pieces), sizes: pieces.map(({ width, height }) => `${width}x${height}`) };
  };
  for (const canvas of Object.values(canvases)) {
    const plain = await sizesOf(['one', 'two', 'six'], canvas);
    const { left, right, sizes } = await sizesOf(['one', 'two', 'six', 'one', long], canvas);
    expect(sizes).toEqual(expect.arrayContaining(plain.sizes));
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(canvas.width);
  }
});

describe('the style stack', () => {
  it('has heavy letters in scripts that its font lacks', async () => {
    const inkOf = async (word: string, settings: object = {}) => {
      const { pieces } = await draw('stack', [word], canvases.landscape, { 'outline-width': 0, ...settings });
      const letters = pieces.find(({ kind }) => kind === 'sprite');
      const { pixels } = await readSprite((letters as { path: string }).path);
      return pixels.filter((_, i) => i % 4 === 3).reduce((sum, alpha) => sum + alpha, 0) / 255;
    };
    for (const word of ['العالم', '動画']) {
      const heavy = await inkOf(word, { 'font-family': 'Montserrat', 'font-weight': 900 });
      const light = await inkOf(word, { 'font-family': 'Montserrat', 'font-weight': 400 });
      expect(heavy, word).toBeGreaterThan(light * 1.15);
      expect(await inkOf(word), word).toBeCloseTo(heavy, -2);
    }
  });

  it('names no weight that the script does not ask for', async () => {
    for (const words of [texts.English, texts.Arabic]) expect((await draw('stack', words, canvases.landscape)).warnings).toEqual([]);
    expect((await draw('stack', texts.English, canvases.landscape, { 'font-family': 'Bebas Neue' })).warnings).toEqual([]);
    expect((await draw('stack', texts.English, canvases.landscape, { 'font-weight': 700 })).warnings).toEqual([expect.stringContaining('no weight 700')]);
  });
});

it.each([...movingStyles])('the style %s shows something in every frame from the first word to the last', async (style) => {
  const { pieces } = await draw(style, texts.English, canvases.landscape, { 'max-words-per-line': 1 });
  const opacityAt = (frame: number, { opacity }: Piece): number => {
    const keys = opacity ?? [{ frame: 0, value: 1 }];
    const next = keys.findIndex((key) => key.frame >= frame);
    const [from, to] = [keys[next - 1], keys[next] ?? keys.at(-1)];
    if (from === undefined || to === undefined || next < 0) return to?.value ?? 1;
    return from.value + ((to.value - from.value) * (frame - from.frame)) / (to.frame - from.frame);
  };
  for (let frame = 1; frame < 3 * FPS; frame++) {
    const shown = pieces.filter(({ kind, start = 0, frames = 0 }) => kind === 'sprite' && start <= frame && frame < start + frames);
    expect(Math.max(0, ...shown.map((piece) => opacityAt(frame, piece))), `frame ${frame}`).toBeGreaterThan(0.15);
  }
});
