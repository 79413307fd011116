import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { painterFor } from '../../../src/cli/paint.js';
import { createProgressBar } from '../../../src/cli/progress-bar.js';

/** A terminal, or a pipe, that remembers what was written. */
function stream(isTTY: boolean, colors = false) {
  const out = Object.assign(new PassThrough(), { isTTY, columns: 120, hasColors: () => colors }) as unknown as NodeJS.WriteStream & { read(): Buffer | null };
  return { out, text: () => String(out.read() ?? '') };
}

it('shows the frame rate and the remaining time after the first second', () => {
  const { out, text } = stream(true);
  let now = 0;
  const bar = createProgressBar(out, () => now);
  bar.update(0, 'preparing');
  now = 5000; // Fetching tells nothing of the speed of drawing.
  bar.update(0.1, 'rendering_scene_1', 0);
  now = 5200;
  bar.update(0.12, 'rendering_scene_1', 20);
  expect(text()).not.toContain('frames/s');
  now = 7000;
  bar.update(0.5, 'rendering_scene_2', 200);
  expect(text().split('\r\x1b[K').at(-1)).toBe(`${'█'.repeat(15)}${'░'.repeat(15)}  50 % rendering scene 2 · 100 frames/s · 3 s left`);
  now = 200_000;
  bar.update(0.51, 'rendering_scene_2', 210);
  expect(text()).toContain('3 min 54 s left');
  bar.update(1, 'complete', 400);
  expect(text()).not.toContain('left');
  bar.stop();
  expect(text()).toBe('\n');
});

it('prints one plain line per stage to a pipe', () => {
  const { out, text } = stream(false, true);
  const bar = createProgressBar(out);
  for (const [progress, stage] of [
    [0, 'preparing'],
    [0.1, 'rendering_scene_1'],
    [0.2, 'rendering_scene_1'],
    [1, 'complete'],
  ] as const)
    bar.update(progress, stage);
  bar.stop();
  expect(text()).toBe('  0 % preparing\n 10 % rendering scene 1\n100 % complete\n');
});

it('never exceeds the width of the terminal', () => {
  const { out, text } = stream(true);
  out.columns = 60;
  createProgressBar(out).update(0.5, `rendering_${'x'.repeat(100)}`);
  expect(text().replace('\r\x1b[K', '').length).toBeLessThan(60);
});

it('uses colours only on terminals that support them', () => {
  expect(painterFor({ isTTY: true, hasColors: () => true })('red', 'x')).toBe('\x1b[31mx\x1b[0m');
  expect(painterFor({ isTTY: true, hasColors: () => false })('red', 'x')).toBe('x');
  expect(painterFor({ isTTY: false, hasColors: () => true })('red', 'x')).toBe('x');
  expect(painterFor({})('red', 'x')).toBe('x');
});
