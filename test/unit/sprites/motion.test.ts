import { expect, test } from 'vitest';
import { textStyleMotion } from '../../../src/sprites/index.js';

const film = { num: 24000, den: 1001 };
const words = [
  { role: 'background', index: 0 },
  { role: 'word', index: 0 },
  { role: 'word', index: 1 },
  { role: 'word', index: 5 },
] as const;

test('style 001 stands still', () => {
  expect(textStyleMotion('001', [{ role: 'block', index: 0 }], { num: 30, den: 1 })).toEqual([{}]);
});

test('style 002 fades the block in over two seconds', () => {
  const [block] = textStyleMotion('002', [{ role: 'block', index: 0 }], film);
  expect(block?.opacity?.map(({ value }) => value)).toEqual([0, 1]);
  expect(block?.opacity?.[1]?.frame).toBeCloseTo((2 * 24000) / 1001, 9);
});

test('style 003 fades word after word, 400 ms apart, and leaves the background alone', () => {
  const motion = textStyleMotion('003', words, { num: 25, den: 1 });
  expect(motion.map(({ opacity }) => opacity?.map(({ frame }) => frame))).toEqual([undefined, [0, 12.5], [10, 22.5], [50, 62.5]]);
});
