import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it, vi } from 'vitest';
import { makeExampleMedia } from '../../../src/cli/demo/example-media.js';
import { withLocalRender } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { textStyleMotion } from '../../../src/graphics/index.js';
import { planMovie } from '../../../src/render/index.js';
import type { TextElement } from '../../../src/script/index.js';
import { textBox } from '../../../src/timeline/index.js';

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
/** Time for which a text is shown complete before it leaves. */
const minSeconds = 0.7;

vi.setConfig({ testTimeout: 300_000 });
beforeAll(() => makeExampleMedia(folder), 120_000);

it.each(names)('the texts of %s are complete before they leave, and none is cut', async (name) => {
  const script = JSON.parse(readFileSync(folder + name, 'utf8'));
  await withLocalRender(folder + name, loadConfig(), async (parts, workDir) => {
    const { movie, durations } = await planMovie({ script, workDir, signal: new AbortController().signal }, parts);
    const fps = movie.fps.num / movie.fps.den;
    const placed = [
      ...movie.scenes.flatMap((scene, i) => scene.elements.map((element, j) => ({ element, frames: durations.scenes[i]?.elements[j]?.frames ?? 0 }))),
      ...movie.elements.map((element, i) => ({ element, frames: durations.elements[i]?.frames ?? 0 })),
    ];
    const texts = placed.filter((one): one is { element: TextElement; frames: number } => one.element.type === 'text');
    for (const { element, frames } of texts) {
      const box = textBox(element, movie);
      const { pieces, fontSize } = await parts.sprites.drawText(element, box);
      const curves = textStyleMotion(element.style, pieces, { fps: movie.fps, frames, fontSize, text: element.text }).flatMap((motion) =>
        Object.values(motion).filter(Array.isArray),
      );
      const settled = Math.max(0, ...curves.map((curve) => curve.at(-1)?.frame ?? 0)) / fps;
      // Letters of style 010 leave until the end.
      if (element.style !== '010')
        expect(frames / fps - settled, `${element.path} is complete after ${settled} s of ${frames / fps} s`).toBeGreaterThanOrEqual(minSeconds);
      for (const { x, y, width, height } of pieces.filter(({ role }) => role === 'block')) {
        const [left, top] = [box.x + x, box.y + y];
        expect(left >= 0 && top >= 0 && left + width <= movie.width && top + height <= movie.height, `${element.path} lies within the frame`).toBe(true);
      }
    }
  });
});
