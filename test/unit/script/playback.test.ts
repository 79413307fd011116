import { describe, expect, it } from 'vitest';
import { playbackSeconds } from '../../../src/script/durations.js';
import { Playback } from '../../../src/script/playback.js';

describe('a playback', () => {
  it('stands still during freezes and counts them into its length', () => {
    const playback = new Playback({
      speed: 2,
      freeze: [
        { time: 1, duration: 0.5 },
        { time: 2, duration: 1 },
      ],
    });
    expect([0, 0.5, 1, 1.3, 1.5, 2, 2.7, 3, 4].map((at) => playback.mediaAt(at))).toEqual([0, 1, 2, 2, 2, 3, 3, 3, 5]);
    expect(playback.startOf(2)).toBe(1);
    expect(playback.endOf(2)).toBe(1.5);
    expect(playback.endOf(5)).toBe(4);
    expect(playback.pieces).toEqual([
      { time: 0, from: 2, to: 2 },
      { time: 1, from: 0, to: 0 },
      { time: 1.5, from: 2, to: 2 },
      { time: 2, from: 0, to: 0 },
      { time: 3, from: 2, to: 2 },
    ]);
  });

  it('integrates speeds that change', () => {
    const ramp = new Playback({
      speed: [
        { time: 1, value: 1, easing: 'linear' },
        { time: 3, value: 4, easing: 'hold' },
        { time: 4, value: 0.5, easing: 'linear' },
      ],
    });
    expect([0, 1, 2, 3, 4, 6].map((at) => ramp.mediaAt(at))).toEqual([0, 1, 2.75, 6, 10, 11]);
    for (const media of [0.3, 1, 2.75, 5, 8, 10.5]) expect(ramp.mediaAt(ramp.startOf(media))).toBeCloseTo(media, 9);
    expect(ramp.endOf(6)).toBeCloseTo(3, 9);
  });

  it('follows every easing within its limits', () => {
    const easings = ['easeInOutCubic', 'easeOutBack', 'easeInElastic', { bezier: [0.2, 0.8, 0.2, 1] }, { spring: { stiffness: 100, damping: 10 } }] as const;
    for (const easing of easings) {
      const playback = new Playback({
        speed: [
          { time: 0, value: 0.1, easing },
          { time: 2, value: 20, easing: 'linear' },
        ],
      });
      expect(playback.pieces.every(({ from, to }) => from >= 0.1 && to <= 20)).toBe(true);
      for (const at of [0.1, 0.7, 1.3, 2, 3]) expect(playback.startOf(playback.mediaAt(at))).toBeCloseTo(at, 6);
    }
    // Half of a symmetrical easing plays at the mean of both speeds.
    const even = new Playback({
      speed: [
        { time: 0, value: 1, easing: 'easeInOutSine' },
        { time: 2, value: 3, easing: 'linear' },
      ],
    });
    expect(even.mediaAt(2)).toBeCloseTo(4, 6);
  });

  it('does not stop the time of a change of speed during a freeze', () => {
    const playback = new Playback({
      speed: [
        { time: 0, value: 1, easing: 'linear' },
        { time: 2, value: 3, easing: 'linear' },
      ],
      freeze: [{ time: 0.5, duration: 1 }],
    });
    expect(playback.mediaAt(1.2)).toBeCloseTo(0.625, 9);
    expect(playback.mediaAt(2)).toBeCloseTo(0.625 + 1.375, 9);
  });

  it('holds the first and the last frame', () => {
    expect(playbackSeconds({ seek: 0, loop: 1, freeze: [{ time: 0, duration: 1 }] }, 4)).toBe(5);
    expect(playbackSeconds({ seek: 1, loop: 2, freeze: [{ time: 6, duration: 1 }] }, 4)).toBe(7);
    // The file is a little shorter than the script says.
    expect(playbackSeconds({ seek: 0, loop: 1, freeze: [{ time: 4, duration: 1 }] }, 3.99)).toBe(5);
    // After the end there is nothing to hold.
    expect(playbackSeconds({ seek: 0, loop: 1, freeze: [{ time: 4.2, duration: 1 }] }, 4)).toBe(4);
  });
});
