import { expect, it } from 'vitest';
import { outputSpec } from '../../../src/render/outputs/output-spec.js';
import { batchSpecs } from '../../../src/render/outputs/render-outputs.js';
import { parseMovie } from '../../../src/script/index.js';

it('encodes as many pixels at once as four Full HD videos have', () => {
  const sizes = (widths: readonly number[]) => {
    const outputs = widths.map((width, index) => ({ name: `v${index}`, format: 'webm', width }));
    const { outputs: parsed } = parseMovie({
      width: 3840,
      height: 2160,
      scenes: [{ duration: 1 }],
      outputs: [...outputs, { name: 'still', format: 'png', width: 64 }],
    });
    const canvas = { width: 3840, height: 2160, fps: { num: 30, den: 1 }, frames: 30 };
    const specs = parsed.map((output) => outputSpec(output, output.name, canvas, undefined));
    return batchSpecs(specs).map((batch) => batch.map(({ path }) => path).join(' '));
  };
  expect(sizes([1920, 1920, 1920, 1920])).toEqual(['v0 v1 v2 v3', 'still']);
  expect(sizes([1920, 1920, 1920])).toEqual(['v0 v1 v2 still']);
  expect(sizes([1920, 1920, 1920, 1920, 640])).toEqual(['v0 v1 v2 v3', 'v4 still']);
  expect(sizes([3840, 3840])).toEqual(['v0', 'v1', 'still']);
});
