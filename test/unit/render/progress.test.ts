import { expect, test } from 'vitest';
import { createProgress } from '../../../src/render/progress.js';
import { segmentRange } from '../../../src/timeline/index.js';

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

test('segments follow the sections, and the last takes what overlays need past them', () => {
  const section = (label: string, start: number, frames: number) => ({ label, start, frames, background: '#000000ff', clips: [] });
  const timeline = {
    canvas: { width: 2, height: 2, fps: { num: 30, den: 1 }, frames: 100 },
    sections: [section('scene_1', 0, 30), section('scene_2', 30, 50)],
  };
  expect([0, 1].map((index) => segmentRange(timeline, index))).toEqual([
    { first: 0, end: 30 },
    { first: 30, end: 100 },
  ]);
});
