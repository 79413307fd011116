import { expect, it } from 'vitest';
import { batchSpecs } from '../../../src/render/outputs/batch-specs.js';
import { outputSpec } from '../../../src/render/outputs/output-spec.js';
import { parseMovie } from '../../../src/script/index.js';

it('encodes as much at once as fits into the memory', () => {
  const groups = (...wanted: Array<[format: string, codec: string | undefined, width: number]>) => {
    const outputs = wanted.map(([format, codec, width], index) => ({ name: `v${index}`, format, codec: codec ?? null, width }));
    const movie = parseMovie({ width: 3840, height: 2160, scenes: [{ duration: 1 }], outputs });
    const canvas = { width: 3840, height: 2160, fps: { num: 30, den: 1 }, frames: 30 };
    const specs = movie.outputs.map((output) => outputSpec(output, output.name, canvas, undefined));
    return batchSpecs(specs).map((batch) => batch.map(({ path }) => path).join(' '));
  };
  expect(groups(['webm', undefined, 1920], ['mp4', 'hevc', 1920], ['mov', undefined, 1920], ['png', undefined, 1920])).toEqual(['v0 v2 v3', 'v1']);
  expect(groups(['mp4', 'h264', 1920], ['mp4', 'h264', 1280], ['mp4', 'h264', 854], ['mp4', 'h264', 640])).toEqual(['v0 v2 v3', 'v1']);
  expect(groups(['mp4', 'av1', 3840], ['mp4', 'av1', 3840], ['jpeg', undefined, 640])).toEqual(['v0', 'v1', 'v2']);
});
