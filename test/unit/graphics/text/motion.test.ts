import { describe, expect, test } from 'vitest';
import { textStyleMotion } from '../../../../src/graphics/index.js';
import type { TextStyle } from '../../../../src/script/index.js';

const fps23976 = { num: 24000, den: 1001 };
const still = { x: 0, y: 0, width: 20, height: 10 };
const piece = (role: 'background' | 'block' | 'word' | 'letter' | 'rule', index = 0) => ({ role, index, ...still });
const words = [piece('background'), piece('word', 0), piece('word', 1), piece('word', 5)];
/** At 20 frames a second: 1 frame is 50 ms. */
const setting = { fps: { num: 20, den: 1 }, frames: 100, fontSize: 10, text: 'Hello' };

/** A letter whose cell reaches two pixels beyond its ink on the left and above. */
const letter = (index: number) => ({ ...piece('letter', index), x: 102, y: 52, cell: { x: 100, y: 50, width: 20, height: 12 } });
const letters = [piece('background'), letter(0), letter(1), letter(4), piece('block')];
const move = (style: TextStyle, changes: Partial<typeof setting> = {}) => textStyleMotion(style, letters, { ...setting, ...changes });

test.each(['001', '011'] as const)('style %s stands still', (style) => {
  expect(textStyleMotion(style, [piece('block')], setting)).toEqual([{}]);
});

test('style 002 fades the block in over two seconds', () => {
  const [block] = textStyleMotion('002', [piece('block')], { ...setting, fps: fps23976 });
  expect(block?.opacity?.map(({ value }) => value)).toEqual([0, 1]);
  expect(block?.opacity?.[1]?.frame).toBeCloseTo((2 * 24000) / 1001, 9);
});

test('style 003 fades word after word, 400 ms apart, and leaves the background alone', () => {
  const motion = textStyleMotion('003', words, { ...setting, fps: { num: 25, den: 1 } });
  expect(motion.map(({ opacity }) => opacity?.map(({ frame }) => frame))).toEqual([undefined, [0, 12.5], [10, 22.5], [50, 62.5]]);
});

describe('letter by letter', () => {
  const cases: Array<[TextStyle, string, 'scaleX' | 'scaleY' | 'shiftX' | 'shiftY' | 'opacity', number[], [number, number], string | undefined]> = [
    ['004', 'pops up in 50 ms, 25 ms apart', 'scaleY', [0, 1, 0.5, 1.5, 2, 3], [0, 1], 'easeInOutElastic'],
    ['005', 'jumps 1.3 em in 750 ms, 50 ms apart', 'shiftY', [0, 15, 1, 16, 4, 19], [13, 0], 'easeOutElastic'],
    ['006', 'comes 40 px in 1200 ms, 30 ms apart, after 500 ms', 'shiftX', [10, 34, 10.6, 34.6, 12.4, 36.4], [40, 0], 'easeOutExpo'],
    ['008', 'grows from 0.3 in 600 ms, 70 ms apart', 'scaleX', [0, 12, 1.4, 13.4, 5.6, 17.6], [0.3, 1], 'easeOutExpo'],
  ];

  test.each(cases)('style %s %s', (style, _, property, frames, [from, to], easing) => {
    const curves = move(style)
      .slice(1, 4)
      .map((motion) => motion[property]?.slice(0, 2) ?? []);
    for (const [i, frame] of curves.flatMap((curve) => curve.map(({ frame }) => frame)).entries()) expect(frame).toBeCloseTo(frames[i] as number, 9);
    for (const curve of curves) expect(curve.map(({ value }) => value)).toEqual([from, to]);
    expect(curves.map((curve) => curve[0]?.easing)).toEqual(Array(3).fill(easing));
  });

  test.each(['006', '008'] as const)('style %s fades its letters in while they move', (style) => {
    const [, first] = move(style);
    expect(first?.opacity?.slice(0, 2).map(({ frame }) => frame)).toEqual((first?.shiftX ?? first?.scaleX)?.map(({ frame }) => frame));
    expect(first?.opacity?.slice(0, 2).map(({ value }) => value)).toEqual([0, 1]);
  });

  test('style 005 shows its letters only above the lower edge of their line', () => {
    const [, first, second] = move('005');
    expect((first?.clip?.y ?? 0) + (first?.clip?.height ?? 0)).toBe(62);
    expect(second?.opacity?.slice(0, 2)).toEqual([
      { frame: 0, value: 0, easing: 'hold' },
      { frame: 1, value: 1, easing: 'hold' },
    ]);
  });

  test('style 007 turns from edge-on to face-on about the left edge, eased out on a circle', () => {
    const [, , second] = move('007');
    expect(second?.anchor?.x).toBeCloseTo(-0.1, 9);
    for (const { frame, value } of second?.scaleX ?? []) {
      const time = (frame - 0.9) / 24;
      const angle = 90 * (1 - Math.sqrt(1 - (time - 1) ** 2));
      expect(value).toBeCloseTo(Math.cos((angle * Math.PI) / 180), 9);
    }
    expect(second?.scaleX?.[0]?.value).toBe(0);
    expect(second?.scaleX?.at(-1)).toEqual({ frame: expect.closeTo(24.9, 9), value: 1 });
  });

  test('style 008 grows its lines from their middle in two seconds', () => {
    const [rule] = textStyleMotion('008', [piece('rule')], setting);
    expect(rule?.scaleX?.map(({ frame, value }) => [frame, value])).toEqual([
      [0, 0],
      [40, 1],
    ]);
    expect(rule?.anchor).toEqual({ x: 0.5, y: 0.5 });
  });

  test('the block takes over when the last letter has come to rest', () => {
    const motion = move('004');
    expect(motion[0]).toEqual({});
    expect(motion.at(-1)?.opacity).toEqual([
      { frame: 0, value: 0, easing: 'hold' },
      { frame: 4, value: 1 },
    ]);
    for (const { opacity } of motion.slice(1, 4)) expect(opacity?.at(-1)).toEqual({ frame: 4, value: 0 });
  });
});

describe('in random order', () => {
  const starts = (text: string) => move('009', { text }).flatMap(({ opacity }, i) => (i > 0 && i < 4 ? [opacity?.[0]?.frame ?? Number.NaN] : []));

  test('style 009 fades each letter in 400 ms within the first 2.9 s, always alike for the same text', () => {
    for (const { opacity } of move('009').slice(1, 4)) expect((opacity?.[1]?.frame ?? 0) - (opacity?.[0]?.frame ?? 0)).toBeCloseTo(8, 9);
    for (const text of ['Hello', 'Good bye', 'x'.repeat(500)]) {
      for (const start of starts(text)) expect(start >= 0 && start <= 50).toBe(true);
      expect(starts(text)).toEqual(starts(text));
      expect(new Set(starts(text)).size).toBe(3);
    }
    expect(starts('Hello')).not.toEqual(starts('Hallo'));
  });

  test.each([1, 2, 7])('style 009 begins at once with %i letters', (count) => {
    const pieces = Array.from({ length: count }, (_, i) => letter(i));
    const frames = textStyleMotion('009', pieces, setting).map(({ opacity }) => opacity?.[0]?.frame);
    expect(frames).toContain(0);
  });

  test('a letter and its shadow go together', () => {
    const [a, b] = textStyleMotion('009', [letter(2), letter(2)], setting);
    expect(a).toEqual(b);
  });

  test('style 010 is 009 at the end: the block, then its letters leave within the last 2.9 s', () => {
    const arriving = starts('Hello');
    const motion = move('010');
    // The first letter arrives at once, but leaves when its turn comes.
    const wait = (motion[1]?.opacity?.at(-2)?.frame ?? 0) - 42 - (arriving[0] ?? 0);
    expect(Math.min(...arriving)).toBe(0);
    expect(wait).toBeGreaterThanOrEqual(0);
    expect(motion.at(-1)?.opacity).toEqual([
      { frame: 0, value: 1, easing: 'hold' },
      { frame: 42, value: 0 },
    ]);
    for (const [i, { opacity }] of motion.slice(1, 4).entries()) {
      expect(opacity?.[0]).toEqual({ frame: 0, value: 0, easing: 'hold' });
      expect(opacity?.at(-2)).toEqual({ frame: expect.closeTo(42 + wait + (arriving[i] ?? 0), 9), value: 1 });
      expect(opacity?.at(-1)).toEqual({ frame: expect.closeTo(50 + wait + (arriving[i] ?? 0), 9), value: 0 });
    }
  });

  test('style 010 in a short element leaves faster, from the start', () => {
    const motion = move('010', { frames: 29 });
    for (const { opacity } of motion.slice(1, 4)) {
      expect(opacity?.[0]?.value).toBe(1);
      expect(opacity?.at(-1)?.frame).toBeLessThanOrEqual(29);
    }
    expect(motion.at(-1)?.opacity).toEqual([{ frame: 0, value: 0 }]);
  });
});
