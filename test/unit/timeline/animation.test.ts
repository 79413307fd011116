import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/script/animation/easing.js';
import { type Movie, parseMovie, resolveDurations, type TextElement } from '../../../src/script/index.js';
import { planPhases } from '../../../src/timeline/animation/phases.js';
import { animateText, type TextPart, textHighlight } from '../../../src/timeline/animation/text-animation.js';
import { valueAt } from '../../../src/timeline/curves.js';
import { compileTimeline, type Piece } from '../../../src/timeline/index.js';

const FPS = 25;

const movieOf = (element: Record<string, unknown>, more: Record<string, unknown> = {}): Movie =>
  parseMovie({ width: 320, height: 180, fps: FPS, scenes: [{ elements: [element], ...more }] });

const textOf = (animate: unknown, text = 'ab cd'): TextElement => movieOf({ type: 'text', text, animate }).scenes[0]?.elements[0] as TextElement;

/** Letters of 10 x 20 pixels in a row; letters with equal word numbers form a word. */
function letters(words: readonly number[]): TextPart[] {
  const parts = words.map((word, index): TextPart => {
    const rect = { x: 10 * index, y: 0, width: 10, height: 20 };
    return { role: 'letter', index, word, line: 0, cell: rect, ...rect };
  });
  return [...parts, { role: 'block', index: 0, x: 0, y: 0, width: 10 * words.length, height: 20 }];
}

const place = { fps: FPS, box: { x: 0, y: 0, width: 320, height: 180 }, canvas: { width: 320, height: 180 }, fontSize: 16 };

describe('planPhases', () => {
  const { animate } = textOf({
    in: { type: 'fade', by: 'letter', duration: 0.4, stagger: 0.1, delay: 0.2 },
    out: { type: 'fade', by: 'word', duration: 0.2, stagger: 0.1 },
  });

  test('starts parts one after the other and ends the exit with the last frame', () => {
    const phases = planPhases(animate ?? {}, { in: 4, out: 2, loop: 1 }, 100, FPS);
    expect(phases.in(0)).toEqual({ from: 5, to: 15 });
    expect(phases.in(3).from).toBeCloseTo(12.5);
    expect(phases.inEnd).toBeCloseTo(22.5);
    expect(phases.outStart).toBeCloseTo(91.5);
    // The last frame, which a transition shows, is frame 99.
    expect(phases.out(1).to).toBeCloseTo(99);
  });

  test('types all letters within the duration of a typewriter, or at its stagger', () => {
    const starts = (animation: object): number[] => {
      const phases = planPhases(textOf({ in: { type: 'typewriter', ...animation } }).animate ?? {}, { in: 5, out: 1, loop: 1 }, 100, FPS);
      expect(phases.in(4).to).toBe(phases.in(4).from);
      expect(phases.inEnd).toBeCloseTo(phases.in(4).from);
      return [0, 1, 4].map((part) => phases.in(part).from / FPS);
    };
    expect(starts({ duration: 2 })).toEqual([0, 0.5, 2]);
    expect(starts({})).toEqual([0, 0.05, 0.2]);
    expect(starts({ duration: 2, stagger: 0.1, delay: 1 })).toEqual([1, 1.1, 1.4]);
  });

  test('shortens an entrance and an exit that do not fit in proportion', () => {
    const phases = planPhases(animate ?? {}, { in: 4, out: 2, loop: 1 }, 15, FPS);
    expect(phases.inEnd).toBeCloseTo(10.5);
    expect(phases.outStart).toBeCloseTo(phases.inEnd);
    expect(phases.out(1).to).toBeCloseTo(14);
  });
});

describe('animateText', () => {
  test('shows the parts while they move and the undivided text at rest', () => {
    const pieces = letters([0, 0, 1]);
    const moved = animateText(textOf({ in: { type: 'rise', by: 'letter', duration: 0.4, stagger: 0.2 }, out: { type: 'fade', duration: 0.4 } }), pieces, {
      ...place,
      frames: 100,
    });
    const spans = moved.map(({ piece, start, frames }) => [pieces[piece]?.role, start, frames]);
    expect(spans).toEqual([...Array.from({ length: 3 }, () => ['letter', 0, 20]), ['block', 20, 69], ['block', 89, 11]]);
  });

  test('moves the letters of a word together, in reading order', () => {
    // Right to left: the first letter of the text is the rightmost.
    const pieces = letters([1, 1, 0, 0]).map((piece) => (piece.role === 'letter' ? { ...piece, index: 3 - piece.index } : piece));
    const moved = animateText(textOf({ in: { type: 'fade', by: 'word', duration: 0.4, stagger: 0.4 } }), pieces, { ...place, frames: 100 });
    const starts = moved.flatMap(({ opacity, piece }) => (pieces[piece]?.role === 'letter' ? [opacity?.[0]?.frame] : []));
    expect(starts).toEqual([10, 10, 0, 0]);
  });

  test('turns parts about the middle of their cell', () => {
    const [first] = animateText(textOf({ in: { type: 'spin', by: 'word' } }), letters([0, 0]), { ...place, frames: 100 });
    expect(first?.anchor).toEqual({ x: 1, y: 0.5 });
  });

  test('hides what of a line is outside its mask', () => {
    const line: TextPart = { role: 'line', index: 0, line: 0, x: 0, y: 5, width: 50, height: 10, cell: { x: 0, y: 0, width: 50, height: 20 } };
    const [moved] = animateText(textOf({ in: { type: 'mask-reveal', easing: 'linear', duration: 0.8 } }), [line], { ...place, frames: 100 });
    const at = (frame: number) => [valueAt(moved?.shiftY ?? 0, frame), valueAt(moved?.reveal?.bottom ?? 0, frame)];
    // At 10 pixels, the line's drawing lies from 15 to 25 and the mask ends at 20.
    expect(at(0)).toEqual([20, 1]);
    expect(at(10)).toEqual([10, 0.5]);
    expect(at(20)).toEqual([0, 0]);
  });

  test.each(['spring(100, 4)', 'easeOutElastic'])('hides nothing of a line that has overshot its place with %s', (easing) => {
    const line: TextPart = { role: 'line', index: 0, line: 0, x: 0, y: 0, width: 50, height: 20, cell: { x: 0, y: 0, width: 50, height: 20 } };
    const phase = { type: 'mask-reveal', easing, duration: 4 };
    const [entering] = animateText(textOf({ in: phase }), [line], { ...place, frames: 100 });
    const moves = Array.from({ length: 100 }, (_, frame) => valueAt(entering?.shiftY ?? 0, frame));
    const overshoot = moves.findIndex((moved) => moved < 0);
    expect(moves.slice(overshoot).some((moved) => moved > 1)).toBe(true);
    for (let frame = overshoot; frame < 100; frame++) expect(valueAt(entering?.reveal?.bottom ?? 0, frame), `frame ${frame}`).toBe(0);
    const leavingEasing = easing.replace('Out', 'In');
    const pieces = animateText(textOf({ out: { ...phase, easing: leavingEasing } }), [line], { ...place, frames: 100 });
    const leaving = pieces.at(-1);
    const hidden = Array.from({ length: 101 }, (_, frame) => valueAt(leaving?.reveal?.top ?? 0, frame));
    const first = hidden.findIndex((part) => part > 0);
    if (easing.startsWith('ease')) for (let frame = first; frame <= 100; frame++) expect(hidden[frame], `frame ${frame}`).toBeGreaterThan(0);
    expect(hidden[100]).toBe(1);
  });

  test.each(['spring(100, 4)', 'cubic-bezier(0.2, 3, 0.6, -1)', 'easeOutElastic'])('uncovers and fades in without a step back with %s', (easing) => {
    for (const type of ['mask-reveal', 'fade']) {
      const [whole] = animateText(textOf({ in: { type, by: 'element', easing, duration: 4 } }), letters([0]).slice(-1), { ...place, frames: 100 });
      const shown = Array.from({ length: 100 }, (_, frame) =>
        type === 'fade' ? valueAt(whole?.opacity ?? 1, frame) : 1 - valueAt(whole?.reveal?.right ?? whole?.reveal?.left ?? 0, frame),
      );
      expect(shown[0]).toBe(0);
      for (const [frame, value] of shown.entries()) expect(value, `frame ${frame}`).toBeGreaterThanOrEqual((shown[frame - 1] ?? 0) - 1e-6);
    }
  });

  test('highlights parts that touch each other with bars that do not overlap', () => {
    const text = textOf({ in: { type: 'highlight', by: 'letter' } });
    const bars = textHighlight(text, letters([0, 0, 1]), { ...place, frames: 100 });
    expect(bars.map(({ x, width }) => [x, x + width])).toEqual([
      [expect.closeTo(-1.92), 10],
      [10, 20],
      [20, expect.closeTo(31.92)],
    ]);
  });

  test('repeats between entrance and exit, from rest to rest', () => {
    const [word] = animateText(textOf({ loop: { type: 'sway', by: 'word', duration: 1, amount: 10 } }), letters([0]), { ...place, frames: 60 });
    const at = (frame: number) => valueAt(word?.rotation ?? 0, frame);
    expect(at(0)).toBe(0);
    expect(at(6.25)).toBeCloseTo(10);
    expect(at(18.75)).toBeCloseTo(-10);
    expect(at(50)).toBeCloseTo(0);
    expect(at(59)).toBeCloseTo(0);
  });
});

describe('compileTimeline', () => {
  const compiled = (element: Record<string, unknown>, more: Record<string, unknown> = {}, pieces: readonly Piece[] = []) => {
    const movie = movieOf(element, more);
    const durations = resolveDurations(movie, () => undefined);
    const path = 'scenes.0.elements.0';
    const media = new Map([[path, { path: '/a.png', width: 100, height: 100, durationSeconds: 0, hasAudio: false } as never]]);
    return compileTimeline({ movie, durations, media, pieces: new Map([[path, pieces]]) }).sections[0]?.clips ?? [];
  };
  const image = { type: 'image', src: 'https://a.test/a.png', width: 100, x: 20, y: 40, duration: 4 };

  test('slides from outside the canvas and leaves it', () => {
    const [clip] = compiled({
      ...image,
      animate: { in: { type: 'slide', easing: 'linear', duration: 1 }, out: { type: 'slide', easing: 'linear', duration: 1 } },
    });
    expect([0, 25, 74, 99].map((frame) => valueAt(clip?.x ?? 0, frame))).toEqual([-120, 0, 0, 300]);
  });

  test('adds to keyframes and multiplies with opacity', () => {
    const [clip] = compiled({
      ...image,
      opacity: 0.5,
      keyframes: [
        { time: 0, y: 10 },
        { time: 4, y: 50 },
      ],
      animate: { in: { type: 'rise', distance: 30, easing: 'linear', duration: 1 } },
    });
    expect([0, 25, 50].map((frame) => valueAt(clip?.y ?? 0, frame))).toEqual([40, 20, 30]);
    expect(valueAt(clip?.opacity ?? 0, 100)).toBe(0.5);
    expect(valueAt(clip?.opacity ?? 0, 0)).toBe(0);
  });

  test('blurs by keyframes on top of its own blur', () => {
    const keyframes = [
      { time: 0, blur: 4 },
      { time: 4, blur: 0 },
    ];
    const [clip] = compiled({ ...image, blur: 3, keyframes });
    expect([0, 100].map((frame) => valueAt(clip?.blur ?? 0, frame))).toEqual([5, 3]);
    expect(compiled({ ...image, blur: 3 })[0]?.blur).toBe(3);
  });

  test('wipes the pieces of a component as one', () => {
    const half = (x: number): Piece => ({ kind: 'fill', color: { r: 0, g: 0, b: 0, a: 255 }, x, y: 0, width: 50, height: 10 });
    const component = { type: 'component', component: 'basic/000', duration: 4, animate: { in: { type: 'mask-reveal', easing: 'linear', duration: 1 } } };
    const [left, right] = compiled(component, {}, [half(0), half(50)]);
    const hidden = (frame: number) => [left, right].map((clip) => valueAt(clip?.reveal?.right ?? 0, frame));
    expect(hidden(0)).toEqual([1, 1]);
    expect(hidden(15)).toEqual([0, expect.closeTo(0.8)]);
    expect(hidden(25)).toEqual([0, 0]);
  });

  test('eases the progress of a transition and leaves it out where it is linear', () => {
    const movie = (easing?: string) =>
      parseMovie({ width: 320, height: 180, fps: FPS, scenes: [{ duration: 2 }, { duration: 2, transition: { style: 'fade', duration: 1, easing } }] });
    const transition = (easing?: string) => {
      const durations = resolveDurations(movie(easing), () => undefined);
      return compileTimeline({ movie: movie(easing), durations, media: new Map(), pieces: new Map() }).sections[1]?.transition;
    };
    expect(transition()).toEqual({ style: 'fade', frames: 25 });
    expect(transition('linear')).toEqual({ style: 'fade', frames: 25 });
    expect(transition('easeOutBack')?.progress).toEqual([
      { frame: 0, value: 0, easing: 'easeOutBack' },
      { frame: 25, value: 1 },
    ]);
    const spring = transition('spring(200, 8)')?.progress as Array<{ value: number }>;
    expect(spring).toHaveLength(26);
    expect(Math.max(...spring.map(({ value }) => value))).toBe(1);
  });
});

describe('evaluate', () => {
  test('is the curve of CSS for cubic-bezier()', () => {
    expect(evaluate({ bezier: [0.25, 0.1, 0.25, 1] }, 0.5)).toBeCloseTo(0.8024, 4);
    expect(evaluate({ bezier: [0, 0, 1, 1] }, 0.3)).toBeCloseTo(0.3, 6);
    expect(evaluate({ bezier: [0.5, -1, 0.5, 2] }, 0.1)).toBeLessThan(0);
  });

  test.each([1, 5, 10, 20, 20.000001, 40])('a spring with stiffness 100 and damping %d settles at the end', (damping) => {
    const at = (t: number) => evaluate({ spring: { stiffness: 100, damping } }, t);
    expect(at(0)).toBe(0);
    expect(at(1)).toBe(1);
    expect(Math.abs(at(0.999) - 1)).toBeLessThan(0.002);
    const peak = Math.max(...Array.from({ length: 101 }, (_, i) => at(i / 100)));
    if (damping < 20) expect(peak).toBeGreaterThan(1);
    else expect(peak).toBeLessThanOrEqual(1);
  });
});

describe('the engine accepts the curves', () => {
  const curvesOf = (animate: unknown, duration: number, element: Record<string, unknown> = { type: 'html', html: 'x' }) => {
    const movie = movieOf({ ...element, duration, animate });
    const path = 'scenes.0.elements.0';
    const page = { path: '/page', kind: 'image' as const };
    const timeline = compileTimeline({
      movie,
      durations: resolveDurations(movie, () => undefined),
      media: new Map(),
      pieces: new Map(),
      pages: new Map([[path, page]]),
    });
    return (timeline.sections[0]?.clips ?? []).flatMap((clip) =>
      [clip.x, clip.y, clip.scale, clip.rotation, clip.opacity, clip.blur, clip.piece?.x, clip.piece?.rotation].filter((curve) => Array.isArray(curve)),
    );
  };

  test.each([
    [{ in: { type: 'fade', duration: 1, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' }, out: { type: 'fade', duration: 0 } }, 1, 1],
    [{ loop: 'spin', out: { type: 'spin', duration: 0 } }, 3, undefined],
    [{ in: { type: 'blur', amount: 1000 }, out: { type: 'blur', duration: 0 } }, 2, 500],
  ])('whose frames ascend and whose blur is limited: %j', (animate, duration, limit) => {
    const curves = curvesOf(animate, duration);
    expect(curves.length).toBeGreaterThan(0);
    for (const curve of curves) {
      const frames = curve.map(({ frame }) => frame);
      expect(frames.every((frame, index) => index === 0 || frame > (frames[index - 1] ?? 0))).toBe(true);
      if (limit !== undefined) expect(Math.max(...curve.map(({ value }) => value))).toBeLessThanOrEqual(limit);
    }
  });

  test('and a typewriter exit deletes from the end, its background last', () => {
    const phases = planPhases(textOf({ out: 'typewriter' }).animate ?? {}, { in: 1, out: 4, loop: 1 }, 100, FPS);
    expect(phases.out(0).from).toBeGreaterThan(phases.out(3).from);
    expect(phases.lastOut.to).toBe(phases.out(0).to);
  });
});
