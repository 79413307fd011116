import { describe, expect, test } from 'vitest';
import { composeComponent, type Frame } from '../../support/components.js';

const shapes = { '16:9': { width: 640, height: 360 }, '1:1': { width: 480, height: 480 }, '9:16': { width: 360, height: 640 } };
const text = 'Yes, up or down, whenever you like. It takes two clicks, and the days that are left are credited to the next month of your plan.';
const messages = ['them', 'me', 'them', 'me', 'them', 'me'].map((from) => ({ from, text }));
const background = '#102030';
const mine = [0xc0, 0x20, 0x20];
const settings = { chat: { messages }, background: { background }, mine: { background: '#c02020' }, title: { text: '' } };

/** Rows of a frame in which something is not the background, and those with a message of one's own. */
function rowsOf({ pixels, width, height }: Frame): { used: number[]; mine: number[] } {
  const isNear = (at: number, [r = 0, g = 0, b = 0]: readonly number[], limit: number) =>
    Math.abs((pixels[at] ?? 0) - r) + Math.abs((pixels[at + 1] ?? 0) - g) + Math.abs((pixels[at + 2] ?? 0) - b) < limit;
  const rows = Array.from({ length: height }, (_, row) => row);
  const someIn = (row: number, test: (at: number) => boolean) => Array.from({ length: width }, (_, x) => (row * width + x) * 4).some(test);
  return {
    used: rows.filter((row) => someIn(row, (at) => !isNear(at, [0x10, 0x20, 0x30], 18))),
    mine: rows.filter((row) => someIn(row, (at) => isNear(at, mine, 40))),
  };
}

describe.each(Object.entries(shapes))('a long chat in %s', (_, size) => {
  const vmin = Math.min(size.width, size.height) / 100;

  test('scrolls up so that the last message is shown whole and none is cut', async () => {
    const [first, last, gone] = await composeComponent('motion/chat', settings, { size, seconds: 14, background, times: [1.2, 12.9, 13.95] });
    expect(rowsOf(first as Frame).used.length).toBeGreaterThan(8 * vmin);
    const { used, mine } = rowsOf(last as Frame);
    expect(used[0]).toBeGreaterThan(6 * vmin);
    expect(used.at(-1)).toBeLessThan(size.height - 6 * vmin);
    // The last message is one's own, and it ends the chat.
    expect(mine.at(-1)).toBeGreaterThanOrEqual((used.at(-1) as number) - 4);
    expect(mine.length).toBeGreaterThan(14 * vmin);
    expect(rowsOf(gone as Frame).used.length).toBeLessThan(used.length);
  });
});
