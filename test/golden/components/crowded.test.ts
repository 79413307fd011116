import { describe, expect, test } from 'vitest';
import type { Box } from '../../../src/graphics/boxes/layout.js';
import { composeComponent, type Frame, layoutComponent, misplacedTexts, packs } from '../../support/components.js';

const shapes = { '16:9': { width: 960, height: 540 }, '1:1': { width: 720, height: 720 }, '9:16': { width: 540, height: 960 } };

/** Texts as long as they may reasonably be, in scripts that break lines in different ways. */
const wordings = {
  long: 'Responsibilities, measurements and opportunities beyond the usual expectations',
  unbroken: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen',
  japanese: '東京都市開発計画委員会は、来年度の新しい交通網についての詳細な報告書を発表しました',
  arabic: 'الجمعية العامة للتنمية المستدامة والتخطيط العمراني في المدن الكبرى',
  short: 'A',
};

const lists: Readonly<Record<string, number>> = { 'links.items': 4, 'list.items': 6, 'steps.items': 5, 'title.lines': 5 };
/** These have contents of their own. */
const excluded = ['motion/ticker', 'motion/countdown', 'motion/code-block', 'motion/chat'];
const components = (packs.packs.find(({ name }) => name === 'motion')?.components ?? []).filter(({ id }) => !excluded.includes(id));

/** Settings of a component with this text in every group and, if `entryCount` is given, in as many entries of its lists. */
function wordedSettings({ settings }: (typeof components)[number], text: string, entryCount: 'one' | 'all'): Record<string, unknown> {
  const groups = Object.entries(settings.properties ?? {}).flatMap(([name, { properties = {} }]) => {
    const given: Record<string, unknown> = {};
    for (const [key, { maxLength }] of Object.entries(properties) as Array<[string, { maxLength?: number }]>) {
      if (key === 'text' && name !== 'icon' && (maxLength === undefined || maxLength === 40)) given.text = text.slice(0, maxLength);
      const count = lists[`${name}.${key}`];
      if (count !== undefined) given[key] = Array.from({ length: entryCount === 'one' ? 1 : count }, () => text.slice(0, 60));
    }
    return Object.keys(given).length > 0 ? [[name, given] as const] : [];
  });
  return Object.fromEntries(groups.filter(([name]) => name !== 'progress'));
}

describe.each(Object.entries(shapes))('in %s', (_, size) => {
  const misplaced = async (id: string, settings: Record<string, unknown>): Promise<string[]> => misplacedTexts(await layoutComponent(id, settings, size), size);

  test.each(components.flatMap((component) => Object.keys(wordings).map((wording) => [component.id, wording, component] as const)))(
    '%s has room for %s texts',
    async (id, wording, component) => {
      const text = wordings[wording as keyof typeof wordings];
      expect(await misplaced(id, wordedSettings(component, text, 'one'))).toEqual([]);
      expect(await misplaced(id, wordedSettings(component, text, 'all'))).toEqual([]);
    },
  );

  const labels = ['Search', 'Social media', 'Direct', 'Email', 'Referrals', 'Podcasts', 'Print and outdoor', 'Everything else'];
  test.each([
    ['eight', [30, 20, 12, 11, 9, 8, 6, 4]],
    ['one', [100]],
    ['huge', [98_765_432_100, 12_500, 1_250_000, 7_000_000_000, 1e12, 5, 6e9, 4e8]],
    ['tiny', [0.0001, 0.00025, 0.5, 0.125]],
    ['negative', [-12_500, 4_000, 23_000, -1_250, 9_000, 0, 8, -4]],
    ['only negative', [-3, -2.5, -8]],
    ['no', [0, 0, 0]],
  ])('charts have room for %s values', async (name, values) => {
    const chart = { values, labels: labels.slice(0, values.length) };
    expect(await misplaced('motion/chart-bars', { chart })).toEqual([]);
    if (values.length > 1) expect(await misplaced('motion/chart-line', { chart })).toEqual([]);
    if (!name.includes('negative')) expect(await misplaced('motion/chart-pie', { chart })).toEqual([]);
    const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month).toLocaleString('en', { month: 'long' }));
    if (values.length > 1) expect(await misplaced('motion/chart-line', { chart: { values, labels: months } })).toEqual([]);
    const greatest = values[0] as number;
    expect(await misplaced('motion/chart-number', { number: { to: greatest, decimals: name === 'tiny' ? 4 : 0, text: '$__num__' } })).toEqual([]);
    expect(await misplaced('motion/price-tag', { price: { to: greatest } })).toEqual([]);
  });
});

test('the parts of a pie chart have clean edges', async () => {
  const size = { width: 640, height: 360 };
  const settings = { chart: { values: [50, 20, 15, 10, 5] }, card: { background: '#ffffff', 'box-shadow': 'none' } };
  const [frame] = await composeComponent('motion/chart-pie', settings, { size, seconds: 5, background: '#ffffff', times: [3] });
  const { pixels, width } = frame as Frame;
  const box = boxesOf(await layoutComponent('motion/chart-pie', settings, size)).find(({ node }) => node.kind === 'pie') as Box;
  const radius = box.width / 2;
  const [x, y] = [box.x + radius, box.y + radius];
  // Around the first part, which is the right half, are only mixtures of its colour and white.
  const ofPart = pixels.subarray((Math.round(y) * width + Math.round(x + radius * 0.85)) * 4).slice(0, 3);
  let strange = 0;
  for (let row = Math.round(y - radius * 0.9); row < y + radius * 0.9; row++) {
    for (let column = Math.round(x + 3); column < x + radius + 3; column++) {
      const at = (row * width + column) * 4;
      const [red, green] = [0, 1].map((channel) => (255 - (pixels[at + channel] ?? 0)) / (255 - (ofPart[channel] ?? 0)));
      if (Math.abs((red ?? 0) - (green ?? 0)) > 0.08) strange++;
    }
  }
  expect(strange).toBe(0);
});

function boxesOf(box: Box): Box[] {
  return [box, ...box.children.flatMap(boxesOf)];
}
