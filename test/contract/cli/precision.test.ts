import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';
import { ffprobe } from '../../support/ffmpeg.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const scenes = [
  { duration: 0.4, 'background-color': '#204060', elements: [{ type: 'text', text: 'Ten' }] },
  { duration: 0.4, 'background-color': '#ffffff', transition: { style: 'fade', duration: 0.2 } },
];

it.each([
  [{ bit_depth: 10 }, { codec_name: 'hevc', pix_fmt: 'yuv420p10le', color_transfer: 'bt709' }],
  [
    { hdr: 'hlg', codec: 'av1' },
    { codec_name: 'av1', pix_fmt: 'yuv420p10le', color_transfer: 'arib-std-b67' },
  ],
  [{ blend_space: 'linear' }, { codec_name: 'h264', pix_fmt: 'yuv420p', color_transfer: 'bt709' }],
])('renders a movie with %j to one MP4 file', async (precision, expected) => {
  const script = join(folder.path, 'movie.json');
  const video = join(folder.path, `${Object.keys(precision).join('-')}.mp4`);
  await writeFile(script, JSON.stringify({ width: 128, height: 72, fps: 25, scenes, ...precision }));
  const { code, stderr } = await runCli(['render', script, '-o', video]);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
  const { streams } = ffprobe(video);
  expect(streams.find(({ codec_type }) => codec_type === 'video')).toMatchObject({ ...expected, nb_frames: '20' });
});

it('previews an HDR movie in SDR', async () => {
  const script = join(folder.path, 'hdr.json');
  const image = join(folder.path, 'hdr.png');
  await writeFile(script, JSON.stringify({ width: 128, height: 72, hdr: 'pq', scenes }));
  const { code, stderr } = await runCli(['frame', script, '--at', '0.1', '-o', image]);
  expect([code, stderr]).toEqual([0, '']);
});
