import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../../../src/graphics/components/nodes/items.js';
import { formatAmount } from '../../../../src/graphics/components/number-format.js';
import type { Settings } from '../../../../src/graphics/components/settings.js';

const auto = { thousands: 'auto', decimal: 'auto' };

describe('a number', () => {
  it.each([
    ['en', 1_234_567.25, '1,234,567.25'],
    ['de', 1_234_567.25, '1.234.567,25'],
    ['fr', 12_500, '12\u00a0500'],
    ['hi', 1_234_567, '12,34,567'],
    ['ar-EG', 12_500, '12,500'],
    ['not a language', 12_500, '12,500'],
  ])('is grouped as in %s', (lang, value, text) => {
    expect(formatAmount(value, { lang, ...auto })).toBe(text);
  });

  it('has the separators and decimals that are given', () => {
    expect(formatAmount(12_500.5, { thousands: ' ', decimal: ',', decimals: 2 })).toBe('12\u00a0500,50');
    expect(formatAmount(12_500, { thousands: '', decimal: 'auto' })).toBe('12500');
    expect(formatAmount(0.1 + 0.2, auto)).toBe('0.3');
  });

  it('is abbreviated in its language', () => {
    expect(formatAmount(1_254_000, { ...auto, isCompact: true })).toBe('1.25M');
    expect(formatAmount(1_254_000, { ...auto, lang: 'de', isCompact: true })).toBe('1,25\u00a0Mio.');
  });
});

function itemsOfChart(values: readonly number[], more: Record<string, unknown> = {}) {
  const group = { path: '', given: {}, defaults: {}, values: { values, ...more }, isGiven: true, unsupported: [] };
  return itemsOf(new Map([['chart', group]]) satisfies Settings, 'chart.values');
}

describe('bars', () => {
  it('of positive values stand on the lower edge', () => {
    expect(itemsOfChart([5, 10])).toMatchObject([
      { share: '50%', 'zero-bottom': '0%', positive: 'true', 'none-negative': 'true', lower: 'true' },
      { share: '100%', 'zero-bottom': '0%', positive: 'true', highest: 'true' },
    ]);
  });

  it('of negative values hang from the line at zero', () => {
    const [up, down] = itemsOfChart([30, -10]);
    expect(up).toMatchObject({ share: '75%', 'zero-bottom': '25%', 'zero-top': '75%', positive: 'true', 'some-negative': 'true', sign: '' });
    expect(down).toMatchObject({ share: '25%', negative: 'true', sign: '\u2212', amount: '10' });
    expect(itemsOfChart([-3, -6]).map((item) => [item.share, item['zero-top']])).toEqual([
      ['50%', '0%'],
      ['100%', '0%'],
    ]);
  });

  it('have grouped numbers, abbreviated where they would be too wide', () => {
    const amounts = (values: readonly number[], more?: Record<string, unknown>) => itemsOfChart(values, more).map(({ amount }) => amount);
    expect(amounts([12_500, 4.5])).toEqual(['12,500', '4.5']);
    expect(amounts([12_500, 4.5], { lang: 'de' })).toEqual(['12.500', '4,5']);
    expect(amounts([12.962_96, 27.333_33])).toEqual(['13', '27']);
    expect(amounts([0.012_345, 0.2])).toEqual(['0.01', '0.20']);
    expect(amounts([12_500], { 'thousands-separator': '' })).toEqual(['12500']);
    expect(amounts(Array.from({ length: 8 }, () => 1_250_000))).toEqual(Array.from({ length: 8 }, () => '1.25M'));
  });
});
