import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/contract/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { compileTimeline, scaleTimeline } from '../../../src/timeline/index.js';

const photo = { path: '/photo.jpg', width: 400, height: 200, durationSeconds: 0, hasAudio: false };

/** Compiles an image of 4 s at 10 frames per second on a canvas of 200 x 100. */
function compile(more: object) {
  const element = { type: 'image', src: 'https://example.com/photo.jpg', width: 100, height: 50, ...more };
  const movie = parseMovie({ width: 200, height: 100, fps: 10, scenes: [{ duration: 4, elements: [element] }] }, { checkUrl: () => undefined });
  const durations = resolveDurations(movie, () => undefined);
  return compileTimeline({ movie, durations, media: new Map([['scenes.0.elements.0', photo]]), pieces: new Map() });
}

const clipOf = (more: object) => compile(more).sections[0]?.clips[0] as Clip;
const from = (first: object, last: object) => [
  { time: 0, ...first },
  { time: 2, ...last },
];
const curve = (first: number, last: number) => [
  { frame: 0, value: first },
  { frame: 20, value: last },
];

describe('keyframes of effects', () => {
  test.each([
    ['sharpen', { sharpen: 0.2, keyframes: from({ sharpen: 1 }, { sharpen: 0 }) }, { sharpen: curve(1, 0) }],
    ['grain', { keyframes: from({ grain: 0 }, { grain: '0.5' }) }, { grain: curve(0, 0.5) }],
    [
      'vignette, which keeps its extent',
      { vignette: { amount: 1, size: 0.1 }, keyframes: from({ vignette: 0 }, { vignette: 0.8 }) },
      { vignette: { amount: curve(0, 0.8), size: 0.1, softness: 0.8 } },
    ],
    ['vignette alone', { keyframes: from({ vignette: 0 }, { vignette: 1 }) }, { vignette: { amount: curve(0, 1) } }],
    ['corner_radius, a length', { corner_radius: 4, keyframes: from({ corner_radius: '50vw' }, { corner_radius: 0 }) }, { cornerRadius: curve(100, 0) }],
    [
      'one property of the correction beside its others',
      { correction: { contrast: 1.5 }, keyframes: from({ saturation: 0 }, { saturation: 1 }) },
      { correction: { brightness: 0, contrast: 1.5, gamma: 1, saturation: curve(0, 1) } },
    ],
    ['none', { sharpen: 0.5, keyframes: from({ x: 1 }, { x: 2 }) }, { sharpen: 0.5 }],
  ])('%s', (_, more, expected) => {
    const { sharpen, grain, vignette, cornerRadius, correction } = clipOf(more);
    expect(JSON.parse(JSON.stringify({ sharpen, grain, vignette, cornerRadius, correction }))).toEqual(expected);
  });

  test('of the chroma key leave its other properties', () => {
    const { chromaKey } = clipOf({
      chroma_key: { color: '#00ff00', choke: 0.2 },
      keyframes: from({ chroma_key: { tolerance: 10, softness: 0 } }, { chroma_key: { tolerance: 40, color: '#0000ff' } }),
    });
    expect(chromaKey).toMatchObject({ tolerance: curve(10, 40), softness: [{ frame: 0, value: 0 }], choke: 0.2, color: { l: expect.any(Array) } });
    expect(() => clipOf({ keyframes: from({ chroma_key: { choke: 1 } }, {}) })).toThrow('chroma_key in keyframes needs chroma_key of the element');
  });

  test('of the vignette, the shutter and the corners', () => {
    const { vignette, motionBlur } = clipOf({
      keyframes: from({ vignette: { amount: 1, size: 0 }, motion_blur: 0 }, { vignette: { size: 1 }, motion_blur: true }),
    });
    expect(vignette).toEqual({ amount: [{ frame: 0, value: 1 }], size: curve(0, 1) });
    expect(motionBlur).toEqual(curve(0, 0.5));
    const square = (size: number) => [
      [0, 0],
      [size, 0],
      [size, size],
      [0, size],
    ];
    const corners = { width: 100, height: 100, keyframes: from({ corners: square(100) }, { corners: square(200) }) };
    const { perspective } = clipOf(corners);
    expect(perspective?.scale).toBe(2);
    expect(perspective?.maps).toHaveLength(21);
    expect(perspective?.maps?.[10]?.map.map((value) => value + 0)).toEqual([1.5, 0, 0, 0, 1.5, 0, 0, 0, 1]);
    const small = scaleTimeline(compile(corners), { width: 100, height: 50 }).sections[0]?.clips[0]?.perspective;
    expect(small?.maps?.[10]?.map.map((value) => value + 0)).toEqual([1.5, 0, 0, 0, 1.5, 0, 0, 0, 1]);
  });

  test('of the grade are tables in the order of time, with what a keyframe leaves out as before', () => {
    const keyframes = [
      { time: 0, lut: { amount: 0 } },
      { time: 1, white_balance: { temperature: 40 } },
      { time: 2, lut: { src: 'https://example.com/b.cube' }, white_balance: { tint: 5 } },
    ];
    const movie = parseMovie({
      scenes: [{ elements: [{ type: 'image', src: 'https://example.com/photo.jpg', lut: 'https://example.com/a.cube', keyframes }] }],
    });
    expect(movie.scenes[0]?.elements[0]?.keyframes.map(({ grade }) => grade)).toEqual([
      { whiteBalance: { temperature: 0, tint: 0 }, lut: { src: 'https://example.com/a.cube', amount: 0 } },
      { whiteBalance: { temperature: 40, tint: 0 }, lut: { src: 'https://example.com/a.cube', amount: 0 } },
      { whiteBalance: { temperature: 40, tint: 5 }, lut: { src: 'https://example.com/b.cube', amount: 1 } },
    ]);
  });

  test('are at the scale of a smaller preview', () => {
    const timeline = compile({ keyframes: from({ corner_radius: 40 }, { corner_radius: 0 }) });
    expect(scaleTimeline(timeline, { width: 100, height: 50 }).sections[0]?.clips[0]?.cornerRadius).toEqual(curve(20, 0));
  });

  test('that overshoot stay within what the engine accepts', () => {
    const keyframes = from({ brightness: -1, easing: 'spring(200, 5)' }, { brightness: 1 });
    const { correction } = clipOf({ keyframes });
    const brightness = correction?.brightness;
    const values = (Array.isArray(brightness) ? brightness : []).map(({ value }) => value);
    expect(Math.max(...values)).toBe(1);
    expect(values.length).toBeGreaterThan(10);
  });
});
