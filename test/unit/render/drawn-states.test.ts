import { expect, test } from 'vitest';
import { drawStates } from '../../../src/render/draw/drawn-states.js';
import type { Piece } from '../../../src/timeline/index.js';

const key = (seconds: number, value: number) => ({ time: { seconds }, easing: 'linear' as const, value });
const element = {
  path: 'scenes.0.elements.0',
  varying: { tracks: [{ path: ['size'], keys: [key(0, 100), key(1, 200)] }], at: ([size]: readonly unknown[]) => size },
};
const fps = { num: 10, den: 1 };
const sprite = (size: number, side = size): Piece => ({ kind: 'sprite', path: `${size}.fwsp`, x: 0, y: 0, width: side, height: side });

test('every state is drawn once and shown in its time; of warnings that differ in numbers the last is given', async () => {
  const draw = async (size: unknown) => ({ pieces: [sprite(Number(size))], warnings: [`the text is ${size} pixels tall`] });
  const { pieces, warnings } = await drawStates(element, { frames: 12, fps }, draw);
  expect(pieces.map((piece) => [piece.width, piece.start, piece.frames])).toEqual([
    ...Array.from({ length: 10 }, (_, frame) => [100 + 10 * frame, frame, 1]),
    [200, 10, 2],
  ]);
  expect(warnings).toEqual(['the text is 200 pixels tall']);
});

test('drawings that need too much space are refused', async () => {
  const draw = async (size: unknown) => ({ pieces: [sprite(Number(size), 12_000)], warnings: [] });
  await expect(drawStates(element, { frames: 12, fps }, draw)).rejects.toMatchObject({
    code: 'RENDER_FAILED',
    message: expect.stringContaining('GiB of drawings'),
  });
});
