import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTextSprites } from '../../../../src/graphics/index.js';
import { makeTextElement } from '../../../support/typography.js';

const folder = mkdtempSync(join(tmpdir(), 'scramble-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['Latin', 'Quick fill'],
  ['Arabic', 'مرحبا بكم في العالم وأن'],
  ['Hebrew', 'שלום לכולם'],
  ['Thai', 'สวัสดีชาวโลก'],
  ['Devanagari', 'नमस्ते दुनिया'],
  ['Japanese', 'こんにちは'],
])('random letters of a %s text stand in the places of its own', async (_, text) => {
  const animate = { in: { type: 'scramble', by: 'letter', duration: 1, delay: 0, direction: 'up', easing: 'linear' } } as const;
  const { pieces } = await createTextSprites({ folder }).drawText({ ...makeTextElement(text, { fontSize: 60 }), animate }, { width: 900, height: 160 });
  const letters = pieces.filter(({ role }) => role === 'letter');
  const random = letters.filter(({ variant }) => variant !== undefined);
  // A letter that is narrower than all others is replaced by none.
  expect(new Set(random.map(({ index }) => index)).size).toBeGreaterThan(0.5 * new Set(letters.map(({ index }) => index)).size);
  for (const { index, x, width, variant } of random) {
    const own = letters.filter((other) => other.index === index && other.variant === undefined);
    const [left, right] = [
      Math.min(...own.map((piece) => piece.cell?.x ?? piece.x)),
      Math.max(...own.map(({ cell, ...piece }) => (cell ?? piece).x + (cell ?? piece).width)),
    ];
    const beyond = 0.12 * (right - left) + 5;
    expect(x, `letter ${index}, ${variant?.step}`).toBeGreaterThan(left - beyond);
    expect(x + width, `letter ${index}, ${variant?.step}`).toBeLessThan(right + beyond);
  }
});
