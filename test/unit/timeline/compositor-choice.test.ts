import { expect, it } from 'vitest';
import type { Clip, Timeline } from '../../../src/contract/index.js';
import { chooseCompositor } from '../../../src/timeline/index.js';

const fps = { num: 30, den: 1 };
const whole = { x: 0, y: 0, width: 1920, height: 1080 };

function movie(seconds: number, layers: number, more: Partial<Clip> = {}): Pick<Timeline, 'canvas' | 'under' | 'sections' | 'over' | 'compositor'> {
  const frames = 30 * seconds;
  const clips = Array.from({ length: layers }, (): Clip => ({ source: 0, start: 0, frames, box: whole, ...more }));
  return {
    canvas: { width: 1920, height: 1080, fps, frames },
    under: [],
    sections: [{ label: 'scene_1', start: 0, frames, background: '#000000', clips }],
    over: [],
  };
}

it('leaves short movies to the CPU and long ones to a graphics device', () => {
  expect(chooseCompositor(movie(10, 3))).toBe('cpu');
  expect(chooseCompositor(movie(300, 3))).toBe('auto');
});

it('counts effects, motion blur and the members of groups', () => {
  expect(chooseCompositor(movie(20, 3))).toBe('cpu');
  expect(chooseCompositor(movie(20, 3, { blur: 4, mask: { source: 1 } }))).toBe('auto');
  expect(chooseCompositor(movie(20, 3, { motionBlur: 0.5 }))).toBe('auto');
  const member: Clip = { fill: '#000000', start: 0, frames: 30 * 300, box: whole };
  expect(chooseCompositor(movie(300, 1, { clips: [member, member, member] }))).toBe('auto');
});

it('counts small layers by their size', () => {
  expect(chooseCompositor(movie(300, 3, { box: { x: 0, y: 0, width: 200, height: 100 } }))).toBe('cpu');
});

it('keeps a compositor that the operator has set', () => {
  expect(chooseCompositor({ ...movie(1, 1), compositor: 'vulkan' })).toBe('vulkan');
  expect(chooseCompositor({ ...movie(300, 9), compositor: 'cpu' })).toBe('cpu');
});
