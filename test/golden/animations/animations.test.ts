import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { createTextSprites } from '../../../src/graphics/index.js';
import { drawTexts } from '../../../src/render/draw/draw-texts.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { compileTimeline } from '../../../src/timeline/index.js';
import { composeGolden } from '../../support/both-compositors.js';
import { draw, expectGolden, type Image, largestDifference, stack } from '../../support/golden-image.js';

const FPS = 25;
const SECONDS = 3;
const LAST = SECONDS * FPS - 1;
const canvasSize = { width: 160, height: 72, fps: FPS };
const folder = mkdtempSync(join(tmpdir(), 'golden-animations-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sprites = createTextSprites({ folder });
const engine = createEngine();
const photo = join(folder, 'photo.png');

beforeAll(() => {
  writeFileSync(
    photo,
    draw(120, 60, (context) => {
      context.fillStyle = '#d08040';
      context.fillRect(0, 0, 120, 60);
      context.fillStyle = '#204060';
      context.fillRect(0, 30, 60, 30);
    }),
  );
});

async function compose(elements: readonly object[], frames: readonly number[]): Promise<Image[]> {
  const movie = parseMovie({ ...canvasSize, scenes: [{ duration: SECONDS, background: '#28486a', elements }] }, { checkUrl: () => undefined });
  const durations = resolveDurations(movie, () => undefined);
  const { signal } = new AbortController();
  const text = await drawTexts({ movie, durations, workDir: folder, signal, media: new Map(), words: new Map() }, sprites);
  const image = { path: photo, width: 120, height: 60, durationSeconds: 0, hasAudio: false };
  const media = new Map(movie.scenes[0]?.elements.flatMap(({ type, path }) => (type === 'image' ? [[path, image]] : [])) as never);
  return composeGolden(engine, compileTimeline({ movie, durations, media: media as never, pieces: text.pieces }), frames);
}

const text = (animate: object | undefined, more: object = {}) => ({
  type: 'text',
  text: 'Two lines\nof words',
  'font-size': 20,
  ...(animate && { animate }),
  ...more,
});
const marked = { text: 'Two <span style="font-size: 1.5em; color: gold">lines</span>\nof <mark>some words</mark>', markup: true };
const image = (animate: object) => ({ type: 'image', src: 'photo.png', width: 80, position: 'center', animate });
const both = (type: string, by?: string) => ({ in: { type, by }, out: { type, by } });

const cases: Array<[name: string, element: object]> = [
  ['fade-word', text(both('fade', 'word'))],
  ['rise-letter', text(both('rise', 'letter'))],
  ['pop-letter', text(both('pop', 'letter'))],
  ['blur-word', text(both('blur', 'word'))],
  ['mask-reveal-line', text(both('mask-reveal', 'line'))],
  ['mask-reveal-word-left', text({ in: { type: 'mask-reveal', by: 'word', direction: 'left' }, out: { type: 'mask-reveal', by: 'element' } })],
  ['typewriter', text(both('typewriter'))],
  ['scramble', text({ in: 'scramble', out: 'scramble' })],
  ['scramble-word-decorated', text(both('scramble', 'word'), { 'text-decoration': 'underline', '-webkit-text-stroke': '1px #d0006f' })],
  ['draw-on', text({ in: 'draw-on', out: 'draw-on' })],
  ['draw-on-whole-then-scramble', text({ in: { type: 'draw-on', by: 'element', amount: 2 }, out: 'scramble' })],
  ['flip-letter', text(both('flip', 'letter'))],
  ['rise-line-boxed', text(both('rise', 'line'), { style: '011', 'background-color': '#d0006f', padding: '4px' })],
  ['highlight-line', text({ in: 'highlight', out: 'rise' })],
  ['highlight-word-boxed', text({ in: { type: 'highlight', by: 'word', color: '#d0006f', stagger: 0.05 } }, { 'background-color': '#102030', padding: '4px' })],
  ['markup-letter', text(both('rise', 'letter'), marked)],
  ['markup-word', text(both('pop', 'word'), marked)],
  ['image-slide', image(both('slide'))],
  ['image-spring-scale', image({ in: { type: 'scale', easing: 'spring(150, 8)' }, out: 'scale' })],
  ['image-mask-reveal', image(both('mask-reveal'))],
  ['image-flip', image(both('flip'))],
  ['image-spin', image(both('spin'))],
];

describe('moments of', () => {
  test.each(cases)('%s', async (name, element) => {
    const actual = stack(await compose([element], [5, 10, LAST - 6]));
    await expectGolden(import.meta.url, name, actual, { tolerance: 3, maxBytes: 30_000 });
  });
});

const types = ['fade', 'slide', 'rise', 'scale', 'pop', 'blur', 'mask-reveal', 'typewriter', 'flip', 'spin', 'scramble', 'draw-on'] as const;
/** Stops of the fastest easing that is still moving in the last frame. */
const end = { duration: 0.2, easing: 'easeOutExpo' };
const scripts: Array<[name: string, text: string]> = [
  ['Latin', 'Fjord Typography'],
  ['right to left', 'שלום עולם'],
  ['joined letters', 'مرحبا بالعالم'],
  ['emoji', 'Go 👨‍👩‍👧‍👦 🏳️‍🌈 e\u0301'],
];

describe.each(scripts)('a text, %s', (_, content) => {
  test.each(types)('is whole after %s and gone at the end', async (type) => {
    const looks = { text: content, 'text-shadow': '2px 2px rgba(0,0,0,0.6)' };
    const phase = { type, by: 'letter', ...(type === 'typewriter' ? {} : end) };
    const [whole] = await compose([text(undefined, looks)], [40]);
    const [atRest, last] = await compose([text({ in: phase, out: phase }, looks)], [40, LAST]);
    const [empty] = await compose([], [0]);
    // A movie with a blur is dithered.
    expect(largestDifference(atRest as Image, whole as Image)).toBeLessThanOrEqual(type === 'blur' ? 4 : 0);
    // Letters stay until it is their turn to leave.
    if (type !== 'typewriter' && type !== 'scramble') expect(largestDifference(last as Image, empty as Image)).toBeLessThan(40);
  });
});

test('the parts of a text at rest look like the undivided text', async () => {
  const looks = { text: 'AVATAR To jig', 'text-shadow': '2px 2px rgba(0,0,0,0.6)' };
  const [whole] = await compose([text(undefined, looks)], [40]);
  for (const by of ['line', 'word', 'letter']) {
    // A loop by parts shows the parts all the time; before its delay they are at rest.
    const [parts] = await compose([text({ loop: { type: 'sway', by, delay: 2 } }, looks)], [20]);
    expect(largestDifference(parts as Image, whole as Image), by).toBeLessThan(24);
  }
});

test('an element that is too short for its animations is complete between them', async () => {
  const element = (animate: object | undefined) => text(animate, { duration: 1 });
  const [whole] = await compose([element(undefined)], [12]);
  const slow = { type: 'fade', duration: 4 };
  const [middle] = await compose([element({ in: slow, out: slow })], [12]);
  expect(largestDifference(middle as Image, whole as Image)).toBeLessThan(20);
});
