import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRate } from '../../../../src/cli/encoder-bench/find-rate.js';
import { looksOf } from '../../../../src/cli/encoder-bench/report/plot.js';
import { paretoFront } from '../../../../src/cli/encoder-bench/report/speed-plot.js';
import { openResultsLog } from '../../../../src/cli/encoder-bench/results-log.js';
import { shuffled, spreadOf } from '../../../../src/cli/encoder-bench/statistics.js';

test('spreadOf returns the median, minimum and maximum of odd and even numbers of values', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 });
  expect(spreadOf([4, 1, 2, 10])).toEqual({ median: 3, least: 1, most: 10 });
});

test('shuffled returns every item once in an order that depends on the seed', () => {
  const items = Array.from({ length: 30 }, (_, i) => i);
  expect([...shuffled(items, 7)].sort((a, b) => a - b)).toEqual(items);
  expect(shuffled(items, 7)).toEqual(shuffled(items, 7));
  expect(shuffled(items, 7)).not.toEqual(shuffled(items, 8));
  expect(shuffled(items, 0)).not.toEqual(items);
});

describe('findRate', () => {
  const search = (grain: number) => {
    const asked: number[] = [];
    const kbpsAt = async (crf: number): Promise<number> => {
      asked.push(crf);
      return 8000 * 2 ** (-crf / 6);
    };
    return { asked, search: { best: 1, worst: 51, grain, kbpsAt } };
  };

  test('finds the quality with few encodings', async () => {
    const { asked, search: given } = search(0.25);
    expect(await findRate(1000, given)).toBeCloseTo(18, 0);
    expect(asked.length).toBeLessThanOrEqual(8);
  });

  test('uses the nearest end of the scale for an unreachable rate', async () => {
    expect(await findRate(1e6, search(1).search)).toBe(1);
    expect(await findRate(1, search(1).search)).toBe(51);
  });
});

test('paretoFront keeps those that no other beats in speed and rate', () => {
  const places = [
    { name: 'slow', speed: 10, rate: -20 },
    { name: 'bad', speed: 9, rate: 5 },
    { name: 'fast', speed: 100, rate: 40 },
    { name: 'middle', speed: 50, rate: 0 },
    { name: 'beaten', speed: 40, rate: 1 },
  ];
  expect(paretoFront(places).map(({ name }) => name)).toEqual(['slow', 'middle', 'fast']);
});

test('looksOf gives the presets of an encoder the same hue', () => {
  expect(looksOf(['libx264 fast', 'libx265 fast', 'libx264 slow'])).toEqual([
    { name: 'libx264 fast', hue: 0, shade: 0 },
    { name: 'libx265 fast', hue: 1, shade: 0 },
    { name: 'libx264 slow', hue: 0, shade: 1 },
  ]);
});

test('a truncated results log returns complete entries and accepts more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'framewright-journal-'));
  try {
    await (await openResultsLog(folder)).put('a', { bytes: 1 });
    appendFileSync(join(folder, 'measurements.jsonl'), '{"key":"b","val');
    const journal = await openResultsLog(folder);
    expect(journal.get('a')).toEqual({ bytes: 1 });
    expect(journal.get('b')).toBeUndefined();
    await journal.put('b', { bytes: 2 });
    const again = await openResultsLog(folder);
    expect([again.get('a'), again.get('b')]).toEqual([{ bytes: 1 }, { bytes: 2 }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
