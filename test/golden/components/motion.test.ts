import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../../src/graphics/boxes/layout.js';
import { contrastOf, minContrast } from '../../../src/graphics/components/contrast.js';
import type { Component } from '../../../src/graphics/components/index.js';
import { type Color, parseMovie } from '../../../src/script/index.js';
import { composeComponent, type Frame, fps, isWithin, layoutComponent, packs, type Size, textsOf } from '../../support/components.js';

const shapes = { wide: { width: 640, height: 360 }, square: { width: 480, height: 480 }, tall: { width: 360, height: 640 } };

/** Exits of the pack last at most this long. */
const exitSeconds = 0.5;
/** These move all the time. */
const restless = ['motion/ticker', 'motion/countdown', 'motion/map-pin'];
const long = 'Responsibilities, measurements and opportunities beyond the usual expectations';

const components = packs.packs.find(({ name }) => name === 'motion')?.components ?? [];

/** Settings with a long text in every group, and long entries in every list of texts. */
function longSettings({ settings }: Component): Record<string, unknown> {
  const groups = Object.entries(settings.properties ?? {}).flatMap(([name, { properties = {} }]) => {
    const given: Record<string, unknown> = {};
    for (const [key, property] of Object.entries(properties)) {
      const { maxLength, default: value } = property as { maxLength?: number; default?: unknown };
      if (key === 'text' && name !== 'code' && name !== 'icon' && maxLength === undefined) given.text = long;
      if (['items', 'lines'].includes(key) && Array.isArray(value)) given[key] = value.map((entry) => `${entry} ${long}`.slice(0, 70));
    }
    return Object.keys(given).length > 0 ? [[name, given] as const] : [];
  });
  return Object.fromEntries(groups);
}

interface RawNode {
  group?: string;
  exit?: Record<string, Array<{ value: unknown }>>;
  children?: RawNode[];
}

/** Groups whose exit moves them by their own size without hiding what is outside of their place. */
function unhiddenSlides({ group, exit = {}, children = [] }: RawNode): string[] {
  const goal = (property: string): unknown => exit[property]?.at(-1)?.value;
  const isUnhidden = (shift: string, distance: string, reveal: string): boolean => goal(shift) === distance && goal(reveal) !== 1;
  const own =
    isUnhidden('shift-y', '-100%', 'reveal-top') || isUnhidden('shift-y', '100%', 'reveal-bottom') || isUnhidden('shift-x', '-100%', 'reveal-left')
      ? [String(group)]
      : [];
  return [...own, ...children.flatMap(unhiddenSlides)];
}

const compose = (id: string, settings: object, size: Size, seconds: number, background: string, times: readonly number[]): Promise<Frame[]> =>
  composeComponent(id, settings, { size, seconds, background, times });

function difference(a: Frame, b: Frame): number {
  let sum = 0;
  for (let i = 0; i < a.pixels.length; i++) sum += Math.abs((a.pixels[i] as number) - (b.pixels[i] as number));
  return sum / a.pixels.length;
}

/** The colour behind a text: of the pixels of its lines the most frequent one that is not near the text's colour. */
function groundOf({ pixels, width, height }: Frame, { x, y, ...block }: Box['content'], text: Color): Color | undefined {
  const counts = new Map<number, number>();
  for (let row = Math.max(0, Math.round(y)); row < Math.min(height, y + block.height); row++) {
    for (let column = Math.max(0, Math.round(x)); column < Math.min(width, x + block.width); column++) {
      const at = (row * width + column) * 4;
      const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
      if (Math.abs(r - text.r) + Math.abs(g - text.g) + Math.abs(b - text.b) < 60) continue;
      const key = ((r >> 2) << 16) | ((g >> 2) << 8) | (b >> 2);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const [key] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return key === undefined ? undefined : { r: (key >> 16) << 2, g: ((key >> 8) & 255) << 2, b: (key & 255) << 2, a: 255 };
}

test('the pack has at least 30 components', () => {
  expect(components.length).toBeGreaterThanOrEqual(30);
});

describe.each(Object.entries(shapes))('in a %s video', (_, size) => {
  test.each(components.map(({ id }) => id))('%s enters, rests and leaves', async (id) => {
    const { seconds } = packs.check(id, {}, '');
    const rest = seconds - exitSeconds - 0.1;
    // White behind overlays is the worst case for light texts.
    const frames = await compose(id, {}, size, seconds, '#ffffff', [0.15, rest - 0.65, rest, seconds - 1 / fps]);
    const [early, before, still, late] = frames as [Frame, Frame, Frame, Frame];
    expect(difference(early, still)).toBeGreaterThan(0.1);
    expect(difference(late, still)).toBeGreaterThan(0.1);
    if (!restless.includes(id)) expect(difference(before, still)).toBeLessThan(0.02);
    if (id === 'motion/countdown') return;
    const texts = textsOf(await layoutComponent(id, {}, size));
    const hardToRead = texts.flatMap(({ box }) => {
      const { color } = box.node.style.typography;
      const ground = groundOf(still, box.text?.block ?? box.content, color);
      const contrast = ground === undefined ? 21 : contrastOf(color, ground);
      return contrast < minContrast - 0.15 ? [`${box.node.text?.paragraphs[0]?.text}: ${contrast.toFixed(2)} on ${JSON.stringify(ground)}`] : [];
    });
    expect(hardToRead).toEqual([]);
  });

  test.each(components.map((component) => [component.id, component] as const))('%s shows long texts whole', async (id, component) => {
    for (const settings of [{}, longSettings(component)]) {
      const root = await layoutComponent(id, settings, size);
      const cut = textsOf(root).filter(
        ({ box, window }) =>
          box.text !== undefined && (!isWithin(box.text.block, { x: 0, y: 0, ...size }) || (window !== undefined && !isWithin(box.text.block, window))),
      );
      expect(cut.map(({ box }) => `${box.node.text?.paragraphs[0]?.text} at ${JSON.stringify(box.text?.block)}`)).toEqual([]);
    }
  });
});

test.each(components.map(({ id }) => id))('%s has left in its last frame, which a transition may hold', async (id) => {
  const { seconds } = packs.check(id, {}, '');
  const [frame] = await compose(id, {}, shapes.wide, seconds, '#ffffff', [seconds - 1 / fps]);
  const darkest = (frame as Frame).pixels.reduce((low, value) => Math.min(low, value), 255);
  expect(darkest).toBeGreaterThan(250);
});

test('what slides out of its place is hidden there', () => {
  const tree = (id: string): RawNode => JSON.parse(readFileSync(new URL(`../../../packs/${id}/component.json`, import.meta.url), 'utf8')) as RawNode;
  expect(components.flatMap(({ id }) => unhiddenSlides(tree(id)).map((group) => `${id}: ${group}`))).toEqual([]);
});

test('a long label of a ticker leaves room for the news', async () => {
  const [frame] = await compose('motion/ticker', { label: { text: 'Bundesverfassungsgericht entscheidet heute' } }, shapes.tall, 4, '#000000', [2]);
  const { pixels, width } = frame as Frame;
  // The news run on the right of the label.
  const bright = Array.from({ length: pixels.length / 4 }, (_, i) => i).filter((i) => i % width > 0.75 * width && (pixels[4 * i] ?? 0) > 200);
  expect(bright.length).toBeGreaterThan(50);
});

test('a short element has its entrance and exit faster', async () => {
  const [early, middle, late] = (await compose('motion/lower-third-card', {}, shapes.wide, 1, '#ffffff', [0, 0.5, 0.95])) as [Frame, Frame, Frame];
  expect(difference(early, middle)).toBeGreaterThan(0.5);
  expect(difference(late, middle)).toBeGreaterThan(0.2);
});

test('a theme that is hard to read gets readable texts', async () => {
  for (const theme of [
    { primary: '#ffff00', surface: '#777777', text: '#888888' },
    { background: '#ffffff', surface: '#000000' },
  ]) {
    const movie = parseMovie({ theme, scenes: [{ elements: [{ type: 'component', component: 'motion/lower-third-bar' }] }] }, { components: packs });
    const [element] = movie.scenes[0]?.elements ?? [];
    if (element?.type !== 'component') throw new Error('the movie has no component');
    const description = packs.describe(element.component, {}, '', shapes.wide, element.theme);
    if (description.kind !== 'native' || description.root === undefined) throw new Error('the component has no tree');
    const bars = description.root.children.map(({ style, children }) => [style.background.color, children[0]?.style.typography.color] as const);
    expect(bars).toHaveLength(2);
    for (const [ground, text] of bars) expect(contrastOf(text as Color, ground as Color)).toBeGreaterThanOrEqual(minContrast);
  }
});

test('a theme is checked with its path, and a component overrides it', () => {
  const parse = (theme: unknown, own?: unknown) =>
    parseMovie({ theme, scenes: [{ elements: [{ type: 'component', component: 'motion/quote', theme: own }] }] }, { components: packs });
  expect(() => parse({ primary: 'bluish' })).toThrow(/primary/);
  expect(() => parse({ logo: 'ftp://example.com/a.png' })).toThrow(/logo/);
  expect(() => parse({}, { corners: 'oval' })).toThrow(expect.objectContaining({ path: 'scenes.0.elements.0.theme.corners' }));
  const [element] = parse({ primary: '#010203', accent: '#040506' }, { accent: '#070809' }).scenes[0]?.elements ?? [];
  expect(element).toMatchObject({ theme: { primary: { r: 1, g: 2, b: 3 }, accent: { r: 7, g: 8, b: 9 }, corners: 'soft' } });
});
