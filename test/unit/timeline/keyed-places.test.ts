import { describe, expect, test } from 'vitest';
import type { Clip, Timeline } from '../../../src/contract/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { valueAt } from '../../../src/timeline/curves.js';
import { compileTimeline, type Piece, scaleTimeline } from '../../../src/timeline/index.js';

const photo = { path: '/photo.jpg', width: 400, height: 200, durationSeconds: 0, hasAudio: false };

/** Compiles an element of 4 s at 10 frames per second on a canvas of 200 x 100. */
function compile(element: object, pieces: Piece[] = []): Timeline {
  const movie = parseMovie({ width: 200, height: 100, fps: 10, scenes: [{ duration: 4, elements: [element] }] }, { checkUrl: () => undefined });
  const durations = resolveDurations(movie, () => undefined);
  const path = 'scenes.0.elements.0';
  return compileTimeline({ movie, durations, media: new Map([[path, photo]]), pieces: new Map([[path, pieces]]) });
}

const image = (more: object) => ({ type: 'image', src: 'https://example.com/photo.jpg', width: 100, height: 50, ...more });
const clipOf = (element: object, pieces?: Piece[]) => compile(element, pieces).sections[0]?.clips[0] as Clip;
const from = (first: object, last: object) => [
  { time: 0, ...first },
  { time: 2, ...last },
];
const curve = (first: number, last: number) => [
  { frame: 0, value: first },
  { frame: 20, value: last },
];

describe('skew', () => {
  test('is constant, or that of keyframes on top of the own', () => {
    expect(clipOf(image({ skew_x: 10, anchor: 'bottom-center' }))).toMatchObject({ skewX: 10, anchor: { x: 0.5, y: 1 } });
    expect(clipOf(image({ skew_x: 10, keyframes: from({ skew_x: 0, skew_y: -5 }, { skew_x: '80', skew_y: 5 }) }))).toMatchObject({
      skewX: curve(10, 85),
      skewY: curve(-5, 5),
    });
    expect(clipOf(image({}))).not.toHaveProperty('skewX');
  });

  test('of a text leans all its pieces about one point', () => {
    const pieces: Piece[] = [0, 1].map((k) => ({ kind: 'sprite', path: `/${k}.fwsp`, x: 100 * k, y: 0, width: 100, height: 100 }));
    const clips = compile({ type: 'text', text: 'Two words', skew_x: 20 }, pieces).sections[0]?.clips ?? [];
    expect(clips.map(({ skewX, anchor }) => [skewX, anchor])).toEqual([
      [20, { x: 1, y: 0.5 }],
      [20, { x: 0, y: 0.5 }],
    ]);
  });
});

describe('keyframes of width and height', () => {
  test('stretch the box from the corner at which it is placed', () => {
    expect(clipOf(image({ keyframes: from({ width: 100 }, { width: '100%' }) })).piece).toEqual({ anchor: { x: 0, y: 0 }, scaleX: curve(1, 2) });
    const { piece } = clipOf(image({ height: undefined, position: 'bottom-right', keyframes: from({ width: 50 }, { width: 100 }) }));
    expect(piece).toEqual({ anchor: { x: 1, y: 1 }, scaleX: curve(0.5, 1), scaleY: curve(0.5, 1) });
  });

  test('are combined with a flip', () => {
    const { piece } = clipOf(image({ keyframes: from({ width: 50 }, { width: 50 }), animate: { in: { type: 'flip', duration: 1, easing: 'linear' } } }));
    expect([0, 5, 10, 20].map((frame) => valueAt(piece?.scaleX ?? 1, frame))).toEqual([0, 0.25, 0.5, 0.5]);
  });
});

test('keyframes of crop move the visible part of the file and leave the size', () => {
  const { crop, box } = clipOf(
    image({ keyframes: from({ crop: { x: 0, y: 0, width: 400, height: 200 } }, { crop: { x: 100, y: 50, width: 200, height: 100 } }) }),
  );
  expect(box).toMatchObject({ width: 100, height: 50 });
  expect(crop).toEqual({ x: curve(0, 0.25), y: curve(0, 0.25), width: curve(1, 0.5), height: curve(1, 0.5) });
});

describe('keyframes of a drop shadow', () => {
  const keyframes = from({ drop_shadow: { blur: 0, y: 0 } }, { drop_shadow: { blur: 20, y: 10 } });

  test('change the front shadow', () => {
    const { shadows } = clipOf(image({ drop_shadow: [{ color: '#f00', x: 3 }, { color: '#00f' }], keyframes }));
    expect(shadows?.[0]).toMatchObject({ color: '#ff0000ff', x: 3, y: curve(0, 10), blur: curve(0, 10) });
    expect(shadows?.[1]).toMatchObject({ color: '#0000ffff', blur: 2 });
  });

  test('make one, and are at the scale of a preview', () => {
    const timeline = compile(image({ keyframes }));
    const [shadow] = scaleTimeline(timeline, { width: 100, height: 50 }).sections[0]?.clips[0]?.shadows ?? [];
    expect(shadow).toEqual({ color: '#00000066', x: 0, y: curve(0, 5), blur: curve(0, 5) });
  });
});

describe('keyframes of colours', () => {
  test('are premultiplied OKLab', () => {
    const { waveform } = clipOf({ type: 'audiogram', keyframes: from({ color: 'white' }, { color: 'transparent' }) });
    const near = (first: number, last: number) => curve(expect.closeTo(first, 4), expect.closeTo(last, 4));
    expect(waveform?.color).toEqual({ l: near(1, 0), a: near(0, 0), b: near(0, 0), alpha: curve(1, 0) });
  });

  test('colour the white drawing of a text', () => {
    const piece = { path: '/white.fwsp', x: 0, y: 0, width: 10, height: 10, kind: 'sprite' } as const;
    const keyframes = from({ color: '#ff0000' }, { color: '#0000ff' });
    const timeline = compile({ type: 'text', text: 'Words', keyframes }, [{ ...piece, tint: 'color' }, piece]);
    const [tinted, plain] = timeline.sections[0]?.clips ?? [];
    expect(tinted).toMatchObject({ mask: { source: 0 }, fill: { alpha: curve(1, 1) } });
    expect(tinted).not.toHaveProperty('source');
    expect(plain).toMatchObject({ source: 0 });
  });
});
