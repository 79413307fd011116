import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderScript, runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, pixelAt } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/** 300 px wide after 2 s. */
const bar =
  '<style>i{display:block;width:300px;height:20px;background:#fff;transform-origin:left;animation:grow 2s linear forwards}@keyframes grow{from{transform:scaleX(0)}}</style><i></i>';

describe('html elements in a rendered movie', () => {
  it('place a snippet without a size by position, x and y', async () => {
    const html = "<div style='padding:24px;background:#0e7c66;color:#fff;border-radius:12px;font:700 64px/1 Inter,sans-serif;'>$849,000</div>";
    const element = { type: 'html', html, position: 'bottom-right', x: -60, y: -60, duration: 0.2 };
    const script = { width: 1280, height: 720, scenes: [{ 'background-color': '#000000', elements: [element] }] };
    const decoded = await decodeFrames(await renderScript(script, folder.path, { name: 'tag' }), 'rgb');
    const isTag = (x: number, y: number): boolean => (pixelAt(decoded, 1, x, y)[1] ?? 0) > 90;
    // 5 % and 60 pixels from the right (64 + 60) and from the bottom (36 + 60), 112 pixels high.
    const [row, column] = [720 - 96 - 12, 1280 - 124 - 40];
    expect([isTag(1280 - 124 - 16, row), isTag(1280 - 124 + 3, row), isTag(column, 720 - 96 - 4), isTag(column, 720 - 96 + 3)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([isTag(column, 720 - 96 - 108), isTag(column, 720 - 96 - 116), isTag(600, row)]).toEqual([true, false, false]);
  });

  it('are placed by the script over the layers below and animate on the movie’s clock', async () => {
    const script = {
      width: 640,
      height: 180,
      fps: 25,
      scenes: [
        {
          duration: 2.4,
          'background-color': '#000000',
          elements: [
            { type: 'html', html: bar, x: 40, y: 20, width: 320, height: 40 },
            { type: 'html', html: '<div class="w-20 h-10 bg-[#ff0000]/50"></div>', tailwind: true, x: 400, y: 20, width: 100, height: 60 },
            { type: 'html', html: '<div style="width:50px;height:30px;background:#00f"></div>', dpi: 2, x: 520, y: 100, width: 80, height: 60 },
          ],
        },
      ],
    };
    const output = await renderScript(script, folder.path, { name: 'html' });
    const decoded = await decodeFrames(output, 'rgb');
    expect(decoded.frames).toHaveLength(60);
    const wrong: string[] = [];
    for (const [k, frame] of decoded.frames.entries()) {
      let light = 0;
      for (let x = 0; x < 380; x++) light += (frame[(30 * 640 + x) * 3 + 1] ?? 0) / 255;
      const due = Math.min(300, (k / 25) * 150);
      // The codec blurs the edge, so its position is the sum of the brightness.
      if (Math.abs(light - due) > 1.5) wrong.push(`frame ${k}: ${light.toFixed(2)} for ${due}`);
    }
    expect(wrong).toEqual([]);
    const near = (got: readonly number[], wanted: readonly number[]) => got.every((value, channel) => Math.abs(value - (wanted[channel] ?? 0)) <= 4);
    expect(near(pixelAt(decoded, 10, 440, 40), [128, 0, 0])).toBe(true);
    expect(near(pixelAt(decoded, 10, 490, 40), [0, 0, 0])).toBe(true);
    expect(near(pixelAt(decoded, 10, 560, 120), [0, 0, 255])).toBe(true);
    expect(near(pixelAt(decoded, 10, 580, 120), [0, 0, 0])).toBe(true);
  });

  it('report which page fails and why', async () => {
    const path = join(folder.path, 'failing.json');
    await writeFile(path, JSON.stringify({ width: 64, height: 64, scenes: [{ duration: 1, elements: [{ type: 'html', html: 'x' }] }] }));
    const { code, stderr } = await runCli(['render', path, '-o', join(folder.path, 'none.mp4')], { env: { FRAMEWRIGHT_CHROMIUM: '/nonexistent/shell' } });
    expect(code).not.toBe(0);
    expect(stderr).toContain('scenes.0.elements.0: HTML elements need Chromium, which is not installed on this host');
  });
});
