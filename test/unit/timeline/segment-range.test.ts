import { expect, test } from 'vitest';
import type { Section } from '../../../src/contract/index.js';
import { segmentRange } from '../../../src/timeline/index.js';

const section = (start: number, frames: number, transitionFrames?: number): Section => ({
  ...{ label: 'scene', start, frames, background: '#000000ff', clips: [] },
  ...(transitionFrames !== undefined && { transition: { style: 'fade', frames: transitionFrames } }),
});

const rangesOf = (...sections: Section[]) =>
  sections.map((_, index) => segmentRange({ canvas: { width: 2, height: 2, fps: { num: 30, den: 1 }, frames: 100 }, sections }, index));

test('segments match the sections, and the last also covers overlays past them', () => {
  expect(rangesOf(section(0, 30), section(30, 50))).toEqual([
    { first: 0, end: 30 },
    { first: 30, end: 100 },
  ]);
});

test('a transition belongs to the segment of its outgoing scene', () => {
  expect(rangesOf(section(0, 30), section(30, 50, 25))).toEqual([
    { first: 0, end: 55 },
    { first: 55, end: 100 },
  ]);
});

test('a transition stays with its own scene if that is hardly longer', () => {
  expect(rangesOf(section(0, 30), section(30, 20, 11), section(50, 20, 20))).toEqual([
    { first: 0, end: 30 },
    { first: 30, end: 50 },
    { first: 50, end: 100 },
  ]);
});
