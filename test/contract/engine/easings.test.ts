import { beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../../src/engine/index.js';
import { createEngine } from '../../../src/engine/index.js';
import { ease } from '../../../src/script/animation/easing.js';
import { movieSchema } from '../../../src/script/index.js';

const { easing } = movieSchema.$defs as { easing: { else: { enum: Array<string | null> } } };
// The engine evaluates the names; cubic-bezier() and spring() reach it as keyframes.
const easings = easing.else.enum.filter((name): name is string => name !== null && !name.includes('('));

let engine: Engine;
beforeAll(() => {
  engine = createEngine();
});

/** A white fill over black whose opacity changes from 0.3 to 0.7 in 16 frames. */
function fading(easing: string): Buffer {
  const opacity = [
    { frame: 0, value: 0.3, easing },
    { frame: 16, value: 0.7 },
  ];
  return Buffer.from(
    JSON.stringify({
      version: 1,
      canvas: { width: 16, height: 16, fps: { num: 30, den: 1 }, frames: 17 },
      sources: [],
      under: [],
      sections: [
        {
          label: 'scene_1',
          start: 0,
          frames: 17,
          background: '#000000ff',
          clips: [{ fill: '#ffffffff', start: 0, frames: 17, box: { x: 0, y: 0, width: 16, height: 16 }, opacity }],
        },
      ],
      over: [],
      audio: [],
      encode: { encoder: 'libx264', preset: 'ultrafast', crf: 20, keyframeSeconds: 5, audioBitrate: 128000 },
    }),
  );
}

test.each(easings)('%s is the same in TypeScript and in the engine', async (easing) => {
  for (const frame of [1, 4, 7, 8, 11, 15]) {
    const { pixels } = await engine.composeFrame(fading(easing), frame);
    const value = Math.min(1, Math.max(0, 0.3 + 0.4 * ease(easing, frame / 16)));
    expect(Math.abs((pixels[0] ?? 0) - value * 255), `frame ${frame}`).toBeLessThan(2.5);
  }
});

test('every easing of the timeline is covered', () => {
  expect(easings).toHaveLength(32);
});
