import { expect, it } from 'vitest';
import { segmentsOf } from '../../../src/render/encode/segments.js';
import { batchOutputs } from '../../../src/render/outputs/batch-outputs.js';
import { divideOutputs, sharesFrames } from '../../../src/render/outputs/output-files.js';
import { outputSpec } from '../../../src/render/outputs/output-spec.js';
import type { SegmentedVideo } from '../../../src/render/outputs/segmented-videos.js';
import { parseMovie } from '../../../src/script/index.js';
import type { Timeline } from '../../../src/timeline/index.js';

it('encodes as much at once as fits into the memory', () => {
  const groups = (...wanted: Array<[format: string, codec: string | undefined, width: number]>) => {
    const outputs = wanted.map(([format, codec, width], index) => ({ name: `v${index}`, format, codec: codec ?? null, width }));
    const movie = parseMovie({ width: 3840, height: 2160, scenes: [{ duration: 1 }], outputs });
    const canvas = { width: 3840, height: 2160, fps: { num: 30, den: 1 }, frames: 30 };
    const specs = movie.outputs.map((output) => outputSpec(output, output.name, canvas, undefined));
    return batchOutputs(specs).map((batch) => batch.specs.map(({ path }) => path).join(' '));
  };
  expect(groups(['webm', undefined, 1920], ['mp4', 'hevc', 1920], ['mov', undefined, 1920], ['png', undefined, 1920])).toEqual(['v0 v2 v3', 'v1']);
  expect(groups(['mp4', 'h264', 1920], ['mp4', 'h264', 1280], ['mp4', 'h264', 854], ['mp4', 'h264', 640])).toEqual(['v0 v2 v3', 'v1']);
  expect(groups(['mp4', 'av1', 3840], ['mp4', 'av1', 3840], ['jpeg', undefined, 640])).toEqual(['v0', 'v1', 'v2']);
});

/** A movie of scenes of 4 s at 10 fps. */
function timeline(width: number, encoder: Timeline['encode']['encoder'] = 'libx264'): Timeline {
  const section = (index: number): Timeline['sections'][number] => ({
    label: `scene_${index}`,
    start: index * 40,
    frames: 40,
    background: '#000000ff',
    clips: [],
  });
  return {
    version: 1,
    canvas: { width, height: (width * 9) / 16, fps: { num: 10, den: 1 }, frames: 120 },
    sources: [],
    under: [],
    sections: [0, 1, 2].map(section),
    over: [],
    audio: [],
    encode: { encoder, preset: 'veryfast', crf: 23, keyframeSeconds: 5, audioBitrate: 128_000 },
  };
}

const videoOf = (plan: Partial<SegmentedVideo['plan']> & Pick<Timeline, 'encode'>, of: Timeline) => {
  const { encode, ...rest } = plan;
  const video = { timeline: { ...of, encode }, uncached: { sections: new Set<number>(), audio: false }, ...rest };
  return { plan: video, missing: segmentsOf(video, '/renders') };
};

const file = (first: number, end: number, width = 320) =>
  ({ path: `/out/${first}-${end}`, format: 'gif', width, height: (width * 9) / 16, first, end }) as const;

it('encodes segments beside outputs that show a quarter of their frames', () => {
  const movie = timeline(640);
  const [batch] = batchOutputs([file(0, 40), file(75, 95)], [videoOf(movie, movie)]);
  expect(batch?.segments.map(({ path, first, end }) => [path, first, end])).toEqual([
    ['/renders/segment-0000.nut.composed', 0, 40],
    ['/renders/segment-0002.nut.composed', 80, 120],
  ]);
});

it('encodes the segments of several videos together, each in its size', () => {
  const movie = timeline(640);
  const small = videoOf({ encode: { ...movie.encode, crf: 30 }, size: { width: 320, height: 180 }, name: 'small' }, movie);
  const [batch, ...rest] = batchOutputs([], [videoOf(movie, movie), small]);
  expect(rest).toEqual([]);
  expect(batch?.segments).toHaveLength(6);
  expect(batch?.encoders).toEqual(['libx264', 'libx264']);
  expect(batch?.segments[3]).toMatchObject({ path: '/renders/small-0000.nut.composed', first: 0, end: 40, width: 320, height: 180, encode: { crf: 30 } });
});

it('renders segments alone where memory allows no other encoder beside theirs', () => {
  const movie = timeline(1920, 'libx265');
  const batches = batchOutputs([{ ...file(0, 120, 1920), format: 'webm', codec: 'vp9' }], [videoOf(movie, movie)]);
  expect(batches.map(({ specs, segments }) => [specs.length, segments.length])).toEqual([[1, 0]]);
});

it('finds the outputs that can be encoded in segments of the same frames', () => {
  const divided = (...outputs: object[]) => {
    const movie = parseMovie({ width: 1280, height: 720, scenes: [{ duration: 4 }], outputs });
    const files = divideOutputs(movie, '/out/movie.mp4');
    return [files?.main?.name, files?.segmented.map(({ name }) => name), files?.others.map(({ name }) => name), sharesFrames(files)];
  };
  const main = { name: 'main', format: 'mp4' };
  expect(divided(main, { name: 'cover', format: 'jpeg' }, { name: 'poster', format: 'poster' })).toEqual(['main', [], ['cover', 'poster'], false]);
  expect(divided(main, { name: 'loop', format: 'gif' })).toEqual(['main', [], ['loop'], true]);
  expect(divided(main, { name: 'small', format: 'mp4', width: 640 }, { name: 'hevc', format: 'mp4', codec: 'hevc' })).toEqual([
    'main',
    ['small', 'hevc'],
    [],
    true,
  ]);
  // Files that differ in container or sound only share their segments.
  const [edit, pieces, mono] = [
    { name: 'edit', format: 'mov', codec: 'h264' },
    { name: 'pieces', format: 'mp4', fragmented: true },
    { name: 'mono', format: 'mp4', audio: { channels: 1 } },
  ];
  expect(divided(main, edit, pieces, mono)).toEqual(['main', ['edit', 'pieces', 'mono'], [], false]);
  expect(divided(edit, { name: 'web', format: 'webm' })).toEqual(['edit', ['web'], [], true]);
  const whole = [
    { name: 'a', format: 'mp4', fps: 12 },
    { name: 'b', format: 'mp4', range: { start: 1 } },
    { name: 'c', format: 'mp4', bitrate: 2_000_000 },
    { name: 'd', format: 'mov', codec: 'prores-422' },
  ];
  expect(divided(main, ...whole)).toEqual(['main', [], ['a', 'b', 'c', 'd'], true]);
  const deep = [
    { name: 'ten', format: 'mp4', codec: 'hevc', bit_depth: 10 },
    { name: 'hdr', format: 'mp4', codec: 'av1', hdr: 'pq' },
    { name: 'pro', format: 'mov', hdr: 'hlg' },
  ];
  expect(divided(main, ...deep)).toEqual(['main', ['ten', 'hdr'], ['pro'], true]);
});
