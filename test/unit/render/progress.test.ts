import { expect, test } from 'vitest';
import { createProgress } from '../../../src/render/progress.js';

test('progress never falls and ends complete at 1', () => {
  const seen: Array<[number, string]> = [];
  const progress = createProgress((value, stage) => seen.push([value, stage]));
  progress.stage('preparing');
  const part = progress.within(0.05, 0.95);
  part(0.5);
  part(0.4);
  progress.stage('stitching');
  progress.finish();
  expect(seen.map(([value]) => value)).toEqual([...seen.map(([value]) => value)].sort((a, b) => a - b));
  expect(seen[1]?.[0]).toBeCloseTo(0.5);
  expect(seen.at(-1)).toEqual([1, 'complete']);
});
