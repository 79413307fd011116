import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cachedRender } from '../support/cached-render.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg, ffprobe } from '../support/ffmpeg.js';

/** Videos of 10 bits and HDR are encoded in segments, which the cache keeps, with the light of all segments in the file. */

const FRAMES = 75;
let folder: { path: string; remove: () => Promise<void> };

/** Luma code of grey in PQ by its light in cd/m². */
const codes = { 1000: 64 + Math.round(876 * 0.7518), 203: 64 + Math.round(876 * 0.5807) };

beforeAll(async () => {
  folder = await temporaryFolder();
  const grey = `color=s=320x180:r=25:d=2,format=yuv420p10le,geq=lum=${codes[1000]}:cb=512:cr=512`;
  const display = 'G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(40000000,50)';
  const tags = `colorprim=bt2020:colormatrix=bt2020nc:transfer=smpte2084:hdr10=1:master-display=${display}`;
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    grey,
    '-c:v',
    'libx265',
    '-x265-params',
    `log-level=none:lossless=1:${tags}`,
    '-tag:v',
    'hvc1',
    join(folder.path, 'grey.mp4'),
  );
  await ffmpeg('-f', 'lavfi', '-i', 'sine=440:d=3', join(folder.path, 'tone.wav'));
});
afterAll(() => folder.remove());

const outputs = [
  { name: 'main', format: 'mp4', codec: 'hevc', hdr: 'pq' },
  { name: 'av1', format: 'mp4', codec: 'av1', hdr: 'pq' },
  { name: 'vp9', format: 'webm', hdr: 'pq' },
  { name: 'hlg', format: 'mp4', codec: 'hevc', hdr: 'hlg', width: 160 },
  { name: 'sdr', format: 'mp4', codec: 'hevc', bit_depth: 10, audio: false },
  { name: 'web', format: 'mp4', codec: 'h264' },
  { name: 'loop', format: 'gif', width: 160, fps: 5 },
];

const movie = (wanted: readonly object[] = outputs): object => ({
  width: 320,
  height: 180,
  fps: 25,
  scenes: [
    { duration: 1.6, background: '#ffffff' },
    {
      duration: 1.4,
      elements: [
        { type: 'video', src: 'grey.mp4' },
        { type: 'text', text: 'HDR', color: '#000000' },
      ],
    },
  ],
  elements: [{ type: 'audio', src: 'tone.wav' }],
  outputs: wanted,
});

/** Extension of an output's file. */
const extensionOf = (name: string): string => (name === 'vp9' ? 'webm' : 'mp4');

const render = (name: string, script: object) => cachedRender(folder.path, name, script);

/** Mean luma of a frame in codes of 10 bits, within a part that shows no text. */
function lumaAt(path: string, seconds: number): number {
  const args = ['-v', 'error', '-ss', String(seconds), '-i', path, '-frames:v', '1', '-vf', 'crop=40:20:0:0', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-'];
  const frame = execFileSync('ffmpeg', args);
  let sum = 0;
  for (let i = 0; i < 800; ++i) sum += frame.readUInt16LE(2 * i);
  return sum / 800;
}

interface Light {
  max_content?: number;
  max_average?: number;
  max_luminance?: string;
}
function lightOf(path: string): Light[] {
  const args = ['-v', 'error', '-select_streams', 'v', '-skip_frame', 'nokey', '-show_streams', '-show_frames', '-of', 'json', path];
  const probed = JSON.parse(execFileSync('ffprobe', args, { encoding: 'utf8' })) as Record<'streams' | 'frames', Array<{ side_data_list?: Light[] }>>;
  return [...probed.streams, ...probed.frames].map(({ side_data_list = [] }) => Object.assign({}, ...side_data_list) as Light);
}

describe('videos of 10 bits', () => {
  let first: Awaited<ReturnType<typeof render>>;
  beforeAll(async () => {
    first = await render('first', movie());
  }, 120_000);

  it('are taken from the cache in a second job, with the same bytes', async () => {
    expect(first.reused).toBe(0);
    const again = await render('again', movie());
    expect(again.reused).toBe(12);
    for (const { name, format } of outputs) {
      if (format === 'gif') continue;
      const [one, other] = [again, first].map(({ path }) => path(name, format));
      expect((await readFile(one ?? '')).equals(await readFile(other ?? '')), name).toBe(true);
    }
  }, 120_000);

  it('have the segments of a movie with one file', async () => {
    const alone = await render('alone', movie([{ ...outputs[0] }]));
    expect(alone.reused).toBe(2);
    expect((await readFile(alone.path('main'))).equals(await readFile(first.path('main')))).toBe(true);
    await writeFile(join(folder.path, 'apart.json'), JSON.stringify(movie([{ ...outputs[0] }])));
    const { code } = await runCli(['render', join(folder.path, 'apart.json'), '-o', join(folder.path, 'apart.mp4')]);
    expect(code).toBe(0);
    expect((await readFile(join(folder.path, 'apart.mp4'))).equals(await readFile(first.path('main')))).toBe(true);
  }, 120_000);

  it.each([
    ['main', 'smpte2084', 'bt2020', codes[203], codes[1000]],
    ['av1', 'smpte2084', 'bt2020', codes[203], codes[1000]],
    ['vp9', 'smpte2084', 'bt2020', codes[203], codes[1000]],
    ['hlg', 'arib-std-b67', 'bt2020', 64 + 876 * 0.75, 940],
    // 1,000 cd/m² are a quarter of what the clip's display can show.
    ['sdr', 'bt709', 'bt709', 940, 883],
  ] as const)('have their colours and light: %s', (name, color_transfer, color_primaries, white, bright) => {
    const path = first.path(name, extensionOf(name));
    expect(ffprobe(path).streams[0]).toMatchObject({
      pix_fmt: 'yuv420p10le',
      color_transfer,
      color_primaries,
      color_range: 'tv',
      ...(name !== 'vp9' && { nb_frames: String(FRAMES) }),
    });
    expect(Math.abs(lumaAt(path, 0.5) - white)).toBeLessThan(4);
    expect(Math.abs(lumaAt(path, 2.5) - bright)).toBeLessThan(5);
  });

  it.each(['main', 'av1', 'vp9'])('name the light of all segments and the display of the clip: %s', (name) => {
    const lights = lightOf(first.path(name, extensionOf(name)));
    // The container, and a key frame in each segment.
    expect(lights.length).toBeGreaterThanOrEqual(3);
    // VP9 has no metadata in its frames.
    for (const { max_content = 0, max_average = 0, max_luminance = '0/1' } of name === 'vp9' ? lights.slice(0, 1) : lights) {
      expect(Math.abs(max_content / 1000 - 1), `${max_content}`).toBeLessThan(0.02);
      expect(max_average).toBeGreaterThan(850);
      const [value = 0, unit = 1] = max_luminance.split('/').map(Number);
      expect(value / unit).toBe(4000);
    }
  });
});
