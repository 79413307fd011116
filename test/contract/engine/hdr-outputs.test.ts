import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputFileSpec } from '../../../src/contract/index.js';
import type { EngineProcess } from '../../../src/engine/index.js';
import { startTestEngine } from '../../support/engine-process.js';

const folder = mkdtempSync(join(tmpdir(), 'hdr-outputs-'));
const media = join(folder, 'media');
const [PATCH, HEIGHT, FRAMES, FPS] = [64, 64, 8, 8];
let engine: EngineProcess;

/** BT.2100 PQ, with light in cd/m². */
function pqSignal(nits: number): number {
  const y = (nits / 10_000) ** (2610 / 16_384);
  return ((3424 / 4096 + (2413 / 128) * y) / (1 + (2392 / 128) * y)) ** (2523 / 32);
}
function pqNits(signal: number): number {
  const y = signal ** (32 / 2523);
  return 10_000 * (Math.max(0, y - 3424 / 4096) / (2413 / 128 - (2392 / 128) * y)) ** (16_384 / 2610);
}
const codeOf = (signal: number): number => Math.round(64 + 876 * signal);
const signalOf = (code: number): number => (code - 64) / 876;

/** Encodes grey patches of these codes without loss. `metadata`: further parameters of x265. */
function encodePatches(name: string, codes: readonly number[], transfer: string, metadata = ''): string {
  const width = PATCH * codes.length;
  const luma = Uint16Array.from({ length: width * HEIGHT }, (_, index) => codes[Math.floor((index % width) / PATCH)] ?? 0);
  const chroma = new Uint16Array((width * HEIGHT) / 2).fill(512);
  const frame = Buffer.concat([Buffer.from(luma.buffer), Buffer.from(chroma.buffer)]);
  const raw = join(media, `${name}.yuv`);
  writeFileSync(raw, Buffer.concat(Array.from({ length: FRAMES }, () => frame)));
  const path = join(media, `${name}.mp4`);
  const colors = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc', '-color_range', 'tv'];
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-s', `${width}x${HEIGHT}`, '-r', String(FPS), '-i', raw];
  const codec = ['-c:v', 'libx265', '-x265-params', `lossless=1:log-level=none${metadata}`, '-tag:v', 'hvc1'];
  execFileSync('ffmpeg', ['-v', 'error', ...input, ...codec, ...colors, path]);
  return path;
}

interface Rendering {
  path: string;
  /** Mean luma codes of 10 bits, by patch. */
  codes: number[];
  tags: Record<string, unknown>;
}

/** Renders the clip with an output. `over`: a fill above it. */
async function render(clip: string, patches: number, output: Partial<OutputFileSpec> & { name: string }, over: object[] = []): Promise<Rendering> {
  const width = PATCH * patches;
  const { mastering } = await engine.probe(clip);
  const timeline = {
    version: 1,
    ...(mastering !== undefined && { mastering }),
    canvas: { width, height: HEIGHT, fps: { num: FPS, den: 1 }, frames: FRAMES },
    sources: [{ kind: 'video', path: clip, label: 'clip' }],
    under: [],
    sections: [
      {
        label: 'scene_1',
        start: 0,
        frames: FRAMES,
        background: '#000000ff',
        clips: [{ source: 0, start: 0, frames: FRAMES, box: { x: 0, y: 0, width, height: HEIGHT }, media: { in: 0 } }],
      },
    ],
    over,
    audio: [],
    encode: { encoder: 'libx264', preset: 'veryfast', crf: 20, keyframeSeconds: 5, audioBitrate: 128000 },
  };
  const { name, ...spec } = output;
  const path = join(folder, name);
  await engine.renderOutputs(Buffer.from(JSON.stringify(timeline)), [{ format: 'mp4', codec: 'hevc', bitDepth: 10, crf: 4, ...spec, path } as OutputFileSpec]);
  const frame = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-'], { maxBuffer: 1 << 28 });
  const luma = new Uint16Array(frame.buffer.slice(frame.byteOffset, frame.byteOffset + width * HEIGHT * 2));
  const codes = Array.from({ length: patches }, (_, patch) => {
    let sum = 0;
    for (let y = 16; y < 48; ++y) for (let x = 16; x < 48; ++x) sum += luma[y * width + patch * PATCH + x] ?? 0;
    return sum / 32 / 32;
  });
  const probe = execFileSync('ffprobe', ['-v', 'error', '-select_streams', 'v', '-show_streams', '-of', 'json', path], { encoding: 'utf8' });
  return { path, codes, tags: (JSON.parse(probe) as { streams: Array<Record<string, unknown>> }).streams[0] ?? {} };
}

const nits = [1, 100, 203, 1000, 4000];
let pqClip = '';
let hlgClip = '';

beforeAll(async () => {
  mkdirSync(media);
  pqClip = encodePatches(
    'pq',
    nits.map((light) => codeOf(pqSignal(light))),
    'smpte2084',
  );
  hlgClip = encodePatches('hlg', [codeOf(0.25), codeOf(0.5), codeOf(0.75), codeOf(1)], 'arib-std-b67');
  engine = startTestEngine(folder, { readable: [media] });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('HDR outputs', () => {
  it('keep the light of PQ, also above 1,000 cd/m²', async () => {
    const { codes, tags } = await render(pqClip, nits.length, { name: 'pq.mp4', hdr: 'pq' });
    for (const [index, light] of nits.entries()) {
      const shown = pqNits(signalOf(codes[index] ?? 0));
      expect(Math.abs(shown / light - 1), `${light} cd/m² became ${shown}`).toBeLessThan(0.02);
    }
    expect(tags).toMatchObject({ pix_fmt: 'yuv420p10le', color_transfer: 'smpte2084', color_primaries: 'bt2020', color_space: 'bt2020nc', color_range: 'tv' });
    expect(JSON.stringify(tags.side_data_list)).toContain('Mastering display');
  });

  it('keep the signals of HLG', async () => {
    const { codes, tags } = await render(hlgClip, 4, { name: 'hlg.mp4', hdr: 'hlg' });
    for (const [index, signal] of [0.25, 0.5, 0.75, 1].entries()) expect(Math.abs((codes[index] ?? 0) - codeOf(signal))).toBeLessThan(1.5);
    expect(tags).toMatchObject({ pix_fmt: 'yuv420p10le', color_transfer: 'arib-std-b67', color_primaries: 'bt2020', color_space: 'bt2020nc' });
  });

  it('convert between PQ and HLG: 203 cd/m² are 75 % of HLG, 1,000 cd/m² its white', async () => {
    const { codes } = await render(pqClip, nits.length, { name: 'pq-as-hlg.mp4', hdr: 'hlg' });
    expect(Math.abs(signalOf(codes[2] ?? 0) - 0.75)).toBeLessThan(0.01);
    expect(Math.abs(signalOf(codes[3] ?? 0) - 1)).toBeLessThan(0.01);
    const back = await render(hlgClip, 4, { name: 'hlg-as-pq.mp4', hdr: 'pq' });
    expect(Math.abs(pqNits(signalOf(back.codes[2] ?? 0)) / 203 - 1)).toBeLessThan(0.03);
    expect(Math.abs(pqNits(signalOf(back.codes[3] ?? 0)) / 1000 - 1)).toBeLessThan(0.03);
  });

  it('show SDR white with 203 cd/m²', async () => {
    const white = { fill: '#ffffffff', start: 0, frames: FRAMES, box: { x: 0, y: 0, width: PATCH, height: HEIGHT } };
    const { codes } = await render(pqClip, nits.length, { name: 'white.mp4', hdr: 'pq' }, [white]);
    expect(Math.abs(pqNits(signalOf(codes[0] ?? 0)) / 203 - 1)).toBeLessThan(0.02);
  });

  it('are tagged in AV1 and ProRes too', async () => {
    const av1 = await render(pqClip, nits.length, { name: 'pq-av1.mp4', hdr: 'pq', codec: 'av1', crf: 10 });
    expect(av1.tags).toMatchObject({ codec_name: 'av1', pix_fmt: 'yuv420p10le', color_transfer: 'smpte2084', color_primaries: 'bt2020' });
    const { crf, ...prores } = { name: 'hlg.mov', format: 'mov', codec: 'prores-422', hdr: 'hlg', crf: undefined } as const;
    const mov = await render(hlgClip, 4, prores);
    expect(mov.tags).toMatchObject({ codec_name: 'prores', pix_fmt: 'yuv422p10le', color_transfer: 'arib-std-b67', color_primaries: 'bt2020' });
    expect(Math.abs((mov.codes[2] ?? 0) - codeOf(0.75))).toBeLessThan(2);
  });

  it.each(['vp9', 'av1'] as const)('are tagged in WebM too, with the light of their frames: %s', async (codec) => {
    const webm = { format: 'webm', codec, crf: 8 } as const;
    const pq = await render(pqClip, nits.length, { name: `pq-${codec}.webm`, hdr: 'pq', ...webm });
    const tags = { codec_name: codec, pix_fmt: 'yuv420p10le', color_primaries: 'bt2020', color_space: 'bt2020nc', color_range: 'tv' };
    expect(pq.tags).toMatchObject({ ...tags, color_transfer: 'smpte2084', profile: codec === 'vp9' ? 'Profile 2' : 'Main' });
    for (const [index, light] of nits.entries()) expect(Math.abs(pqNits(signalOf(pq.codes[index] ?? 0)) / light - 1)).toBeLessThan(0.03);
    const hlg = await render(hlgClip, 4, { name: `hlg-${codec}.webm`, hdr: 'hlg', ...webm });
    expect(hlg.tags).toMatchObject({ ...tags, color_transfer: 'arib-std-b67' });
    for (const [index, signal] of [0.25, 0.5, 0.75, 1].entries()) expect(Math.abs((hlg.codes[index] ?? 0) - codeOf(signal))).toBeLessThan(2);
  });
});

interface SideData {
  side_data_type: string;
  max_content?: number;
  max_average?: number;
  max_luminance?: string;
  red_x?: string;
}

/** What the container and each key frame say of the light. */
function lightOf(path: string): { container: SideData[]; keyFrames: SideData[][] } {
  const args = ['-v', 'error', '-select_streams', 'v', '-skip_frame', 'nokey', '-show_streams', '-show_frames', '-of', 'json', path];
  const probed = JSON.parse(execFileSync('ffprobe', args, { encoding: 'utf8' })) as Record<'streams' | 'frames', Array<{ side_data_list?: SideData[] }>>;
  const listed = ({ side_data_list = [] }: { side_data_list?: SideData[] }): SideData[] => side_data_list;
  return { container: probed.streams.flatMap(listed), keyFrames: probed.frames.map(listed) };
}
const contentOf = (list: readonly SideData[]): SideData | undefined => list.find(({ side_data_type }) => side_data_type.startsWith('Content light'));
const peakOf = (list: readonly SideData[]): number => {
  const [value = 0, unit = 1] = (list.find(({ side_data_type }) => side_data_type.startsWith('Mastering'))?.max_luminance ?? '0/1').split('/').map(Number);
  return value / unit;
};

describe('the content light level of PQ outputs', () => {
  const average = nits.reduce((sum, light) => sum + light, 0) / nits.length;

  it.each([
    ['HEVC', { name: 'light-hevc.mp4' }],
    ['HEVC in fragments', { name: 'light-fragments.mp4', fragmentSeconds: 0.25 }],
    ['HEVC in MOV', { name: 'light-hevc.mov', format: 'mov' }],
    ['AV1', { name: 'light-av1.mp4', codec: 'av1', crf: 10 }],
    ['AV1 in WebM', { name: 'light-av1.webm', format: 'webm', codec: 'av1', crf: 10 }],
    ['VP9', { name: 'light-vp9.webm', format: 'webm', codec: 'vp9', crf: 10 }],
    ['ProRes', { name: 'light-prores.mov', format: 'mov', codec: 'prores-422', crf: undefined }],
  ] as Array<[string, Partial<OutputFileSpec> & { name: string }]>)('is that of the frames: %s', async (kind, output) => {
    const { path } = await render(pqClip, nits.length, { ...output, hdr: 'pq' });
    const { container, keyFrames } = lightOf(path);
    const lists = kind === 'ProRes' || kind === 'VP9' ? [container] : [container, ...keyFrames];
    for (const list of lists) {
      const { max_content = 0, max_average = 0 } = contentOf(list) ?? {};
      expect(Math.abs(max_content / 4000 - 1), `${max_content} cd/m²`).toBeLessThan(0.02);
      expect(Math.abs(max_average / average - 1), `${max_average} cd/m²`).toBeLessThan(0.02);
    }
    expect(lists.length).toBeGreaterThan(kind === 'HEVC in fragments' ? 3 : 0);
  });

  it('is that of the brightest primary, also beside other colours', async () => {
    const box = { x: PATCH, y: 0, width: PATCH, height: HEIGHT };
    const black = { fill: '#000000ff', start: 0, frames: FRAMES, box: { x: 0, y: 0, width: PATCH * 4, height: HEIGHT } };
    const red = { fill: '#ff0000ff', start: 0, frames: FRAMES, box };
    const white = { fill: '#ffffffff', start: 0, frames: FRAMES, box: { ...box, x: PATCH + 21, width: 13 } };
    const { path } = await render(pqClip, 4, { name: 'light-red.mp4', hdr: 'pq' }, [black, red, white]);
    const { max_content = 0, max_average = 0 } = contentOf(lightOf(path).container) ?? {};
    expect(Math.abs(max_content / 203 - 1), `${max_content} cd/m²`).toBeLessThan(0.03);
    // Red of BT.709 has 62.7 % of its light in BT.2020's red.
    const wanted = (203 * 13 + 0.6274 * 203 * (PATCH - 13)) / (4 * PATCH);
    expect(Math.abs(max_average / wanted - 1), `${max_average} cd/m²`).toBeLessThan(0.06);
  });

  it('belongs to PQ only', async () => {
    const { path } = await render(hlgClip, 4, { name: 'light-hlg.mp4', hdr: 'hlg' });
    expect(contentOf(lightOf(path).container)).toBeUndefined();
    expect(peakOf(lightOf(path).container)).toBe(0);
  });
});

describe('the mastering display of PQ outputs', () => {
  const codes = nits.map((light) => codeOf(pqSignal(light)));

  it('has 1,000 cd/m² unless sources say otherwise', async () => {
    const { path } = await render(pqClip, nits.length, { name: 'usual.mp4', hdr: 'pq' });
    expect(peakOf(lightOf(path).container)).toBe(1000);
  });

  it('is that of the brightest source, in its container or in its frames', async () => {
    const bt2020 = 'G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(40000000,50)';
    const clip = encodePatches('bright', codes, 'smpte2084', `:hdr10=1:master-display=${bt2020}`);
    const { path } = await render(clip, nits.length, { name: 'bright.mp4', hdr: 'pq' });
    const { container, keyFrames } = lightOf(path);
    for (const list of [container, ...keyFrames]) expect(peakOf(list)).toBe(4000);
    expect(JSON.stringify(container)).toContain('35400/50000');
    const copy = join(media, 'bright-copy.mp4');
    writeFileSync(copy, readFileSync(path));
    const again = await render(copy, nits.length, { name: 'again.mp4', hdr: 'pq', codec: 'av1', crf: 10 });
    expect(peakOf(lightOf(again.path).container)).toBe(4000);
  });
});

it('HEVC files have their parameter sets in the sample description only, as hvc1 says', async () => {
  const { path, tags } = await render(pqClip, nits.length, { name: 'hvc1.mp4', hdr: 'pq' });
  expect(tags.codec_tag_string).toBe('hvc1');
  const { stderr } = spawnSync('ffmpeg', ['-v', 'verbose', '-i', path, '-c', 'copy', '-bsf:v', 'trace_headers', '-f', 'null', '-'], { encoding: 'utf8' });
  const packets = stderr.slice(stderr.indexOf('Packet: '));
  const types = [...packets.matchAll(/nal_unit_type .* = (\d+)/g)].map(([, type]) => Number(type));
  expect(types).toContain(39);
  expect(types.filter((type) => type >= 32 && type <= 34)).toEqual([]);
});

describe('SDR outputs of 10 bits', () => {
  it('tone-map HDR as outputs of 8 bits do', async () => {
    const deep = await render(pqClip, nits.length, { name: 'sdr10.mp4' });
    const plain = await render(pqClip, nits.length, { name: 'sdr8.mp4', bitDepth: 8 });
    for (const [index, code] of deep.codes.entries()) expect(Math.abs(code - (plain.codes[index] ?? 0))).toBeLessThan(4);
    expect(deep.tags).toMatchObject({ pix_fmt: 'yuv420p10le', color_transfer: 'bt709', color_primaries: 'bt709', color_space: 'bt709' });
  });

  it('mix linear light on request', async () => {
    const half = { fill: '#ffffffff', start: 0, frames: FRAMES, box: { x: 0, y: 0, width: PATCH * 2, height: HEIGHT }, opacity: 0.5 };
    const black = { fill: '#000000ff', start: 0, frames: FRAMES, box: { x: 0, y: 0, width: PATCH * 2, height: HEIGHT } };
    const { codes } = await render(pqClip, 2, { name: 'linear.mp4', linear: true }, [black, half]);
    // sRGB of half the light.
    expect(Math.abs(signalOf(codes[0] ?? 0) - 0.735)).toBeLessThan(0.005);
  });
});

describe('invalid outputs', () => {
  it.each([
    [{ hdr: 'pq', bitDepth: 8 }, /hdr/],
    [{ hdr: 'pq', linear: true }, /linear/],
    [{ codec: 'h264' }, /bitDepth/],
    [{ format: 'webm', codec: 'vp9', alpha: true }, /bitDepth/],
  ] as Array<[Partial<OutputFileSpec>, RegExp]>)('%j are refused', async (spec, message) => {
    await expect(render(hlgClip, 4, { name: 'refused.mp4', ...spec })).rejects.toThrow(message);
  });
});
