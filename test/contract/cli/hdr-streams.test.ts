import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';
import { ffmpeg, ffprobe } from '../../support/ffmpeg.js';

/** Streams in HDR: what playlists and manifest say of them, and what ffmpeg decodes from each size. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const file = (...names: string[]): string => join(folder.path, ...names);
const FRAMES = 50;

const streams = [
  ['PQ in HEVC', 'pq', { hdr: 'pq', codec: 'hevc' }, /hvc1\.2\.4\.L\d+(\.[0-9A-F]+)*/, 'PQ', [9, 16, 9], 'smpte2084'],
  ['HLG in AV1', 'hlg', { hdr: 'hlg', codec: 'av1' }, /av01\.0\.\d{2}M\.10\.0\.11[01]\.09\.18\.09\.0/, 'HLG', [9, 18, 9], 'arib-std-b67'],
  ['SDR of 10 bits', 'sdr', { bit_depth: 10, codec: 'hevc' }, /hvc1\.2\.4\.L\d+(\.[0-9A-F]+)*/, undefined, [1, 1, 1], 'bt709'],
] as const;

beforeAll(async () => {
  folder = await temporaryFolder();
  const ladder = { ladder: [{ height: 180 }, { height: 90 }], segment_duration: 1 };
  for (const [, name, precision] of streams) {
    const outputs = [
      { name: 'live', format: 'hls', ...precision, ...ladder },
      { name: 'same', format: 'dash', ...precision, ...ladder },
    ];
    const script = { width: 320, height: 180, fps: 25, outputs, scenes: [{ duration: FRAMES / 25, 'background-color': '#ffffff' }] };
    await writeFile(file(`${name}.json`), JSON.stringify(script));
    const { code, stderr } = await runCli(['render', file(`${name}.json`), '-o', file(name, 'stream.m3u8'), '--output', `same=${file(name, 'stream.mpd')}`]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
  }
}, 120_000);
afterAll(() => folder.remove());

describe.each(streams)('%s', (_, name, _precision, codec, range, colors, transfer) => {
  it('is named in the playlist of HLS', async () => {
    const lines = (await readFile(file(name, 'stream.m3u8'), 'utf8')).split('\n').filter((line) => line.startsWith('#EXT-X-STREAM-INF'));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(/CODECS="([^"]*)"/.exec(line)?.[1]).toMatch(new RegExp(`^${codec.source}$`));
      expect(/VIDEO-RANGE=([A-Z]+)/.exec(line)?.[1]).toBe(range);
    }
  });

  it('is named in the manifest of DASH', async () => {
    const manifest = await readFile(file(name, 'stream.mpd'), 'utf8');
    expect(manifest.match(new RegExp(`codecs="${codec.source}"`, 'g'))).toHaveLength(2);
    const named = [...manifest.matchAll(/<SupplementalProperty schemeIdUri="urn:mpeg:mpegB:cicp:(\w+)" value="(\d+)"\/>/g)].map(([, scheme, value]) => [
      scheme,
      Number(value),
    ]);
    const [primaries, characteristics, matrix] = colors;
    const wanted = [
      ['ColourPrimaries', primaries],
      ['TransferCharacteristics', characteristics],
      ['MatrixCoefficients', matrix],
    ];
    expect(named).toEqual(range === undefined ? [] : wanted);
  });

  it.each([180, 90])('is decoded from the size of %i lines', async (height) => {
    const track = file(name, `stream-${height}p.mp4`);
    const [video] = ffprobe(track).streams;
    expect(video).toMatchObject({ pix_fmt: 'yuv420p10le', color_transfer: transfer, height });
    const lights = video?.side_data_list?.map(({ max_content }) => max_content).filter((light) => light !== undefined);
    expect(lights ?? []).toEqual(range === 'PQ' ? [expect.closeTo(203, -1)] : []);
    const raw = file(name, `${height}.yuv`);
    await ffmpeg('-i', track, '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', raw);
    const bytes = await readFile(raw);
    const frameBytes = ((height * 16) / 9) * height * 3;
    expect(bytes.length).toBe(FRAMES * frameBytes);
    // SDR white: 203 cd/m² of PQ, 75 % of HLG, 100 % of SDR.
    const white = { PQ: 573, HLG: 721, SDR: 940 }[range ?? 'SDR'];
    expect(Math.abs(bytes.readUInt16LE(2 * 40) - white)).toBeLessThan(6);
  });

  it('is read by ffmpeg from its playlist', async () => {
    await ffmpeg('-i', file(name, 'stream.m3u8'), '-map', '0:v', '-f', 'null', '-');
  });
});
