import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { createTextSprites, drawSubtitles, parseCaptions } from '../../../src/graphics/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { compileTimeline } from '../../../src/timeline/index.js';
import { composeGolden } from '../../support/both-compositors.js';
import { expectGolden, type Image, stack } from '../../support/golden-image.js';

const tolerance = 2;
const folder = mkdtempSync(join(tmpdir(), 'golden-subtitles-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sprites = createTextSprites({ folder });
const engine = createEngine();

const karaoke = '[Events]\nDialogue: 0,0:00:00.00,0:00:04.00,x,,0,0,0,,{\\k50}Every {\\k50}word {\\k50}in {\\k50}its {\\k50}own {\\k50}good {\\k50}time\n';
const srt =
  '1\n00:00:00,000 --> 00:00:04,000\nTwo lines of <i>even</i> length\nthat <b>nobody</b> times\n\n2\n00:00:01,000 --> 00:00:04,000\n- And a second voice';

/** Frames of a movie with nothing but subtitles, below each other. */
async function compose(captions: string, settings: object, size: { width: number; height: number }, seconds: readonly number[]): Promise<Image> {
  const look = { 'font-family': 'Inter', 'font-weight': 700, 'font-size': 22, ...settings };
  const script = { ...size, fps: 30, scenes: [{ duration: 4, background: '#28486a', elements: [{ type: 'subtitles', captions, settings: look }] }] };
  const movie = parseMovie(script, { checkUrl: () => undefined });
  const durations = resolveDurations(movie, () => undefined);
  const element = movie.scenes[0]?.elements[0];
  if (element?.type !== 'subtitles') throw new Error('no subtitles');
  const { pieces, warnings } = await drawSubtitles(
    { path: element.path, cues: parseCaptions(captions), look: element.look, language: element.language, canvas: movie, fps: movie.fps, frames: 120 },
    sprites,
  );
  expect(warnings).toEqual([]);
  const timeline = compileTimeline({ movie, durations, media: new Map(), pieces: new Map([[element.path, pieces]]) });
  return stack(
    await composeGolden(
      engine,
      timeline,
      seconds.map((second) => Math.round(second * 30)),
    ),
  );
}

const outlined = { 'outline-width': 3, 'shadow-offset': 2, 'shadow-color': '#00000090' };
const wide = { width: 320, height: 70 };
type Case = [name: string, captions: string, settings: object, size: typeof wide];
const cases: Case[] = [
  ['classic', karaoke, { style: 'classic', ...outlined }, wide],
  ['classic-progressive', karaoke, { style: 'classic-progressive', ...outlined }, wide],
  [
    'classic-one-word',
    karaoke,
    { style: 'classic-one-word', 'all-caps': true, 'font-family': 'Anton', 'font-weight': 400, 'font-size': 34, ...outlined },
    wide,
  ],
  ['boxed-line', karaoke, { style: 'boxed-line', 'box-color': '#000000b0' }, wide],
  ['boxed-word', karaoke, { style: 'boxed-word', 'box-color': '#d22a1f', 'word-color': '#ffffff' }, wide],
  ...(['pop', 'bounce', 'box-slide', 'gradient', 'glow', 'karaoke-fill', 'stack', 'emphasis'] as const).map(
    (style): Case => [style, karaoke, { style, 'font-family': null, 'font-weight': null, 'font-size': null }, { width: 320, height: 180 }],
  ),
  ...(['pop', 'gradient', 'karaoke-fill'] as const).map(
    (style): Case => [
      `emoji-${style}`,
      karaoke.replace('word', 'word\u{1f525}').replace('own', '\u{1f389}'),
      { style, ...outlined },
      { width: 320, height: 180 },
    ],
  ),
  ['lines-without-times', srt, { position: 'mid-bottom-center', 'font-size': 18, 'outline-width': 2, 'max-words-per-line': 5 }, { width: 220, height: 100 }],
];

describe('subtitles', () => {
  test.each(cases)('%s', async (name, captions, settings, size) => {
    const actual = await compose(captions, settings, size, [0.2, 1.2, 2.2]);
    await expectGolden(import.meta.url, name, actual, { tolerance, maxBytes: 70_000 });
  });
});
