import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTextSprites, drawSubtitles, parseCaptions } from '../../../../src/graphics/index.js';
import { parseMovie, type SubtitlesElement } from '../../../../src/script/index.js';
import { readSprite } from '../../../support/sprite-image.js';

const folder = mkdtempSync(join(tmpdir(), 'speakers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sprites = createTextSprites({ folder });

const captions = [
  'WEBVTT',
  '00:00:02.000 --> 00:00:03.000\n<v Tom>later',
  '00:00:00.000 --> 00:00:01.000\n<v Ada>hello',
  '00:00:01.000 --> 00:00:02.000\nnarrator',
  '00:00:03.000 --> 00:00:04.000\n<v Ada>again',
  '00:00:04.000 --> 00:00:05.000\n<v Eve>third',
].join('\n\n');

/** Colours of the opaque pixels of each piece, in the order of time. */
async function colorsOf(settings: object): Promise<string[]> {
  const script = { width: 640, height: 360, scenes: [{ duration: 5 }], elements: [{ type: 'subtitles', captions, settings }] };
  const [{ look, path }] = parseMovie(script, { checkUrl: () => undefined }).elements as [SubtitlesElement];
  const { pieces } = await drawSubtitles(
    { path, cues: parseCaptions(captions), look, language: 'auto', canvas: { width: 640, height: 360 }, fps: { num: 25, den: 1 }, frames: 125 },
    sprites,
  );
  return pieces
    .toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
    .map((piece) => {
      const { pixels } = readSprite('path' in piece ? (piece.path as string) : '');
      const at = pixels.findIndex((alpha, index) => index % 4 === 3 && alpha === 255) - 3;
      return [...pixels.slice(at, at + 3)].join(' ');
    });
}

it('gives speakers their colours in the order in which they first speak, and then the first one again', async () => {
  const [ada, tom, white] = ['255 0 0', '0 255 0', '255 255 255'];
  expect(await colorsOf({ 'speaker-colors': ['#ff0000', '#00ff00'] })).toEqual([ada, white, tom, ada, ada]);
  expect(await colorsOf({ speaker_colors: ['#ff0000'] })).toEqual([ada, white, ada, ada, ada]);
  expect(await colorsOf({})).toEqual([white, white, white, white, white]);
});

it('refuses what is no colour, with its path', () => {
  const script = (colors: unknown) => ({ scenes: [{}], elements: [{ type: 'subtitles', captions, settings: { 'speaker-colors': colors } }] });
  expect(() => parseMovie(script(['#fff', 'reddish']))).toThrow(expect.objectContaining({ path: 'elements.0.settings.speaker-colors.1' }));
  expect(() => parseMovie(script([]))).toThrow(/at least 1 item/);
});
