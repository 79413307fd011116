import { describe, expect, test } from 'vitest';
import type { Clip, Timeline } from '../../../src/contract/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { cornerMap } from '../../../src/timeline/clips/depth.js';
import { compileTimeline, type Piece, scaleTimeline } from '../../../src/timeline/index.js';

const photo = { path: '/photo.jpg', width: 400, height: 200, durationSeconds: 0, hasAudio: false };

/** Compiles a scene of 4 s at 10 frames per second with one element on a canvas of 200 x 100. */
function compile(element: object, pieces: Piece[] = []): Timeline {
  const movie = parseMovie({ width: 200, height: 100, fps: 10, scenes: [{ duration: 4, elements: [element] }] }, { checkUrl: () => undefined });
  return compileTimeline({
    movie,
    durations: resolveDurations(movie, () => undefined),
    media: new Map([['scenes.0.elements.0', photo]]),
    pieces: new Map([['scenes.0.elements.0', pieces]]),
  });
}

const clipOf = (element: object, pieces?: Piece[]) => compile(element, pieces).sections[0]?.clips[0] as Clip;
const image = (more: object) => ({ type: 'image', src: 'https://example.com/photo.jpg', x: 20, y: 10, width: 100, height: 50, ...more });

describe('drop shadows', () => {
  test.each([
    [true, [{ color: '#00000066', blur: 2, x: 0, y: 1.5 }]],
    [{ color: '#f00', blur: 10, x: 3, y: '-5vh' }, [{ color: '#ff0000ff', blur: 5, x: 3, y: -5 }]],
    [
      [{ y: 4 }, { blur: 0 }],
      [expect.objectContaining({ y: 4 }), expect.objectContaining({ blur: 0 })],
    ],
    [false, undefined],
    [[], undefined],
  ])('of an image with %j', (drop_shadow, expected) => {
    expect(clipOf(image({ drop_shadow })).shadows).toEqual(expected);
  });

  test('of a text fall behind all its pieces, which fade together', () => {
    const pieces: Piece[] = [1, 2].map((k) => ({ kind: 'sprite', path: `/${k}.fwsp`, x: 30 * k, y: 20, width: 20, height: 10 }));
    const plain = clipOf({ type: 'text', text: 'Two words', fade_in: 1, opacity: 0.5 }, pieces);
    expect(plain).toMatchObject({ fadeIn: 10, opacity: 0.5 });
    const group = clipOf({ type: 'text', text: 'Two words', fade_in: 1, opacity: 0.5, blend_mode: 'screen', drop_shadow: true }, pieces);
    expect(group).toMatchObject({ fadeIn: 10, opacity: 0.5, blend: 'screen', shadows: [{ blur: 2 }], box: { width: 50, height: 10 } });
    expect(group.clips).toHaveLength(2);
    for (const piece of group.clips ?? []) expect([piece.fadeIn, piece.opacity, piece.blend, piece.start]).toEqual([undefined, undefined, undefined, 0]);
  });
});

describe('a glow', () => {
  const shadow = { color: '#00000066', blur: 2, x: 0, y: 1.5 };
  test.each([
    [{ glow: true }, [{ color: '#ffffffff', blur: 2, intensity: 1 }]],
    [{ glow: { color: '#0ff', radius: 20, intensity: '2' } }, [{ color: '#00ffffff', blur: 10, intensity: 2 }]],
    [{ glow: {}, drop_shadow: true }, [{ color: '#ffffffff', blur: 2, intensity: 1 }, shadow]],
    [{ glow: false, drop_shadow: true }, [shadow]],
    [{ glow: null }, undefined],
    [{ glow: { radius: 0 } }, undefined],
  ])('of an image with %j is a shadow in front of the others', (more, expected) => {
    expect(clipOf(image(more)).shadows).toEqual(expected);
  });

  test('of keyframes alone has the usual values', () => {
    const keyframes = [
      { time: 0, glow: { intensity: 0 } },
      { time: 1, glow: { intensity: 4, radius: 40 } },
    ];
    const intensity = [
      { frame: 0, value: 0 },
      { frame: 10, value: 4 },
    ];
    expect(clipOf(image({ keyframes, drop_shadow: true })).shadows).toEqual([{ color: '#ffffffff', blur: [{ frame: 10, value: 20 }], intensity }, shadow]);
  });

  test('grows with the canvas in length, not in intensity', () => {
    const scaled = scaleTimeline(compile(image({ glow: { radius: 20, intensity: 3 } })), { width: 100, height: 50 });
    expect(scaled.sections[0]?.clips[0]?.shadows).toEqual([{ color: '#ffffffff', blur: 5, x: 0, y: 0, intensity: 3 }]);
  });
});

describe('perspective', () => {
  test('the anchor and the distance of the viewer follow keyframes', () => {
    const keyframes = [
      { time: 0, anchor: { x: 0 }, perspective: 100 },
      { time: 1, anchor: { x: 1 }, perspective: '200vw' },
    ];
    const { perspective } = clipOf(image({ rotate_y: 30, anchor: 'top-center', keyframes }));
    expect(perspective).toMatchObject({
      x: [
        { frame: 0, value: 20 },
        { frame: 10, value: 120 },
      ],
      y: 10,
      distance: [
        { frame: 0, value: 100 },
        { frame: 10, value: 400 },
      ],
    });
    // As near as the viewer comes.
    expect(perspective?.scale).toBeCloseTo(100 / (100 - 50), 5);
    const rotated = clipOf(image({ rotate: { angle: 45 }, keyframes }));
    expect(rotated.anchor).toMatchObject({ x: [{ value: 0 }, { value: 1 }], y: 0.5 });
  });

  test('an element rotates about its centre, is drawn larger where it comes near, and moves as a whole', () => {
    const { perspective, x } = clipOf(
      image({
        rotate_y: 10,
        perspective: 500,
        keyframes: [
          { time: 0, x: 0, rotate_y: 80 },
          { time: 2, x: 40, rotate_y: 0 },
        ],
      }),
    );
    expect(perspective).toMatchObject({ x: 70, y: 35, distance: 500 });
    expect(perspective?.rotateX).toBeUndefined();
    expect(perspective?.rotateY).toEqual([
      { frame: 0, value: 90 },
      { frame: 20, value: 10 },
    ]);
    expect(perspective?.scale).toBeCloseTo(500 / 450);
    expect(x).toHaveLength(2);
  });

  test('the viewer is as far away as the canvas is long, and elements without rotation have no perspective', () => {
    expect(clipOf(image({ rotate_x: 20 })).perspective?.distance).toBe(200);
    expect(clipOf(image({ perspective: 300 })).perspective).toBeUndefined();
  });

  test('an element rotates and scales about its anchor', () => {
    const keyframes = [{ time: 0, scale: 0 }];
    expect(clipOf(image({ rotate_y: 20, anchor: 'bottom-left' })).perspective).toMatchObject({ x: 20, y: 60 });
    expect(clipOf(image({ keyframes, anchor: 'center-right' })).anchor).toEqual({ x: 1, y: 0.5 });
    expect(clipOf(image({ keyframes, anchor: 'left' })).anchor).toEqual({ x: 0, y: 0.5 });
    expect(clipOf(image({ keyframes, anchor: 'top-right' })).anchor).toEqual({ x: 1, y: 0 });
    expect(clipOf(image({ rotate: { angle: 20 }, anchor: { x: -0.5, y: '0.25' } })).anchor).toEqual({ x: -0.5, y: 0.25 });
    expect(clipOf(image({ zoom: 5, pan: 'left', anchor: 'center' })).anchor).toEqual({ x: 0.5, y: 0.5 });
    expect(clipOf(image({ anchor: 'top-left' })).anchor).toBeUndefined();
    const pieces: Piece[] = [1, 2].map((k) => ({ kind: 'sprite', path: `/${k}.fwsp`, x: 30 * k, y: 20, width: 20, height: 10 }));
    const animate = { in: { type: 'scale', by: 'element' } };
    const text = compile({ type: 'text', text: 'Two words', animate, anchor: 'top-left' }, pieces).sections[0]?.clips ?? [];
    // The pieces carry the text's motion; only other elements have it on themselves.
    expect(text.every(({ anchor }) => anchor === undefined)).toBe(true);
    const rotated =
      compile({ type: 'text', text: 'Two words', width: 100, height: 50, rotate: { angle: 9 }, anchor: 'top-left' }, pieces).sections[0]?.clips ?? [];
    const [first, second] = rotated.map(({ box, anchor = { x: 0, y: 0 } }) => [box.x + Number(anchor.x) * box.width, box.y + Number(anchor.y) * box.height]);
    expect(second).toEqual(first);
  });

  test('a text rotates about what is drawn, not about its box, which is the canvas', () => {
    const pieces: Piece[] = [{ kind: 'sprite', path: '/1.fwsp', x: 20, y: 60, width: 40, height: 10 }];
    const group = clipOf({ type: 'text', text: 'Hi', rotate_y: 30, keyframes: [{ time: 0, x: 5, scale: 2 }] }, pieces);
    const { box, perspective, x, clips } = group;
    expect(perspective?.x).toBe(box.x + 20);
    expect(perspective?.y).toBe(box.y + 5);
    expect(x).toEqual([{ frame: 0, value: 5 }]);
    expect(clips?.[0]?.x).toBeUndefined();
    expect(clips?.[0]?.scale).toEqual([{ frame: 0, value: 2 }]);
  });

  test('corners are where the script says', () => {
    const corners: Array<[number, number]> = [
      [10, 20],
      [180, 5],
      [190, 95],
      [30, 70],
    ];
    const { box, perspective } = clipOf(image({ corners }));
    const m = perspective?.map ?? [];
    expect(m).toEqual(cornerMap(box, corners));
    const at = (x: number, y: number) => {
      const row = (k: number) => (m[k] ?? 0) * x + (m[k + 1] ?? 0) * y + (m[k + 2] ?? 0);
      return [row(0) / row(6), row(3) / row(6)];
    };
    const { x, y, width, height } = box;
    const mapped = [at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height)];
    for (const [index, point] of mapped.entries()) {
      for (const [axis, value] of point.entries()) expect(value).toBeCloseTo(corners[index]?.[axis] ?? Number.NaN);
    }
    // The longest side of the shape is drawn at full sharpness.
    expect(perspective?.scale).toBeCloseTo(Math.max(Math.hypot(170, 15) / 100, Math.hypot(160, 25) / 100, Math.hypot(20, 50) / 50, Math.hypot(10, 90) / 50));
  });
});

describe('a smaller preview', () => {
  test('has groups, shadows and perspective at its scale', () => {
    const pieces: Piece[] = [{ kind: 'sprite', path: '/1.fwsp', x: 20, y: 60, width: 40, height: 10 }];
    const timeline = compile({ type: 'text', text: 'Hi', rotate_y: 30, drop_shadow: { blur: 8, x: 2, y: 4 } }, pieces);
    const [before, after] = [timeline, scaleTimeline(timeline, { width: 100, height: 50 })].map(({ sections }) => sections[0]?.clips[0] as Clip);
    expect(after?.shadows).toEqual([{ color: '#00000066', blur: 2, x: 1, y: 2 }]);
    expect(after?.perspective).toMatchObject({ distance: 100, x: Number(before?.perspective?.x) / 2, y: Number(before?.perspective?.y) / 2 });
    expect(after?.clips?.[0]?.box.width).toBe(20);
    const corners = [
      [10, 20],
      [180, 5],
      [190, 95],
      [30, 70],
    ];
    const pinned = compile(image({ corners }));
    const small = scaleTimeline(pinned, { width: 100, height: 50 }).sections[0]?.clips[0];
    const half = corners.map(([x = 0, y = 0]) => [x / 2, y / 2] as [number, number]);
    const expected = cornerMap(small?.box ?? { x: 0, y: 0, width: 1, height: 1 }, half);
    for (const [index, value] of (small?.perspective?.map ?? []).entries()) expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 8);
  });
});
