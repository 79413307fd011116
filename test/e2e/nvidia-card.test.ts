import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GpuBenchDocument } from '../../src/cli/gpu-bench/gpu-results.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffprobe } from '../support/ffmpeg.js';
import { onHostWithCard, substituteCard, substituteVulkan } from '../support/substitute-card.js';

/** The real engine in its sandbox, with libav's own NVENC code, on a substitute for NVIDIA's driver that checks each call. */

const size = { width: 320, height: 192 };
let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  const scenes = ['#204060', '#806020'].map((background, index) => ({
    duration: 0.4,
    background,
    elements: [{ type: 'text', text: `Scene ${index + 1}`, zoom: 3 }],
  }));
  await writeFile(join(folder.path, 'movie.json'), JSON.stringify({ ...size, fps: 25, scenes }));
});
afterAll(() => folder.remove());

async function render(name: string, env: Record<string, string>, within?: typeof onHostWithCard): Promise<{ path: string; stdout: string; stderr: string }> {
  const path = join(folder.path, `${name}.mp4`);
  const { code, stdout, stderr } = await runCli(['render', join(folder.path, 'movie.json'), '-o', path, '--profile'], { env, ...(within && { within }) });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toMatch(/substitute driver:/);
  return { path, stdout, stderr };
}

/** Largest difference of luma between two videos over all frames. */
async function maxDifference(a: string, b: string): Promise<number> {
  const [left, right] = [(await decodeFrames(a, 'gray')).frames, (await decodeFrames(b, 'gray')).frames];
  expect(left.length).toBe(20);
  expect(right.length).toBe(20);
  return Math.max(...left.map((frame, index) => frame.reduce((max, value, at) => Math.max(max, Math.abs(value - (right[index]?.[at] ?? 0))), 0)));
}

// Only x264 on the CPU signs its streams.
const isSigned = async (path: string): Promise<boolean> => (await readFile(path)).includes('x264 - core');

/** The software Vulkan device spends 20 s of CPU time on its shaders; the native tests compose on it outside the sandbox. */
const compositor = process.env.FRAMEWRIGHT_TEST_LONG === undefined ? 'cpu' : 'vulkan';

it(`a card encodes inside the sandbox what the compositor "${compositor}" draws, and the video is that of the CPU`, { timeout: 300_000 }, async () => {
  const plain = await render('plain', { FRAMEWRIGHT_ENCODER: 'software' });
  const onCard = await render('card', { ...substituteCard(), ...substituteVulkan('timelines=1'), FRAMEWRIGHT_COMPOSITOR: compositor }, onHostWithCard);
  const path = /2 segments: frames went from the card to the encoder by cuda-direct-semaphores, 0 copied on the card$/m;
  if (compositor === 'vulkan') expect(onCard.stdout + onCard.stderr).toMatch(path);
  expect(await Promise.all([plain, onCard].map((one) => isSigned(one.path)))).toEqual([true, false]);
  expect(ffprobe(onCard.path).streams[0]).toMatchObject({ codec_name: 'h264', ...size, nb_frames: '20' });
  expect(await maxDifference(onCard.path, plain.path)).toBeLessThan(40);
});

it.each(['cards=1', 'cards=1,sessions=1'])('a card encodes all MP4 files of a movie with outputs: %s', { timeout: 120_000 }, async (settings) => {
  const movie = JSON.parse(await readFile(join(folder.path, 'movie.json'), 'utf8')) as object;
  const outputs = [
    { name: 'main', format: 'mp4' },
    { name: 'small', format: 'mp4', width: 160 },
    { name: 'loop', format: 'gif', width: 160 },
  ];
  const [file, path] = [join(folder.path, 'outputs.json'), join(folder.path, 'outputs.mp4')];
  await writeFile(file, JSON.stringify({ ...movie, outputs }));
  const { code, stderr } = await runCli(['render', file, '-o', path], {
    env: { ...substituteCard(settings), FRAMEWRIGHT_COMPOSITOR: 'cpu' },
    within: onHostWithCard,
  });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toMatch(/substitute driver:|software|libx264/);
  const small = path.replace('.mp4', '-small.mp4');
  expect(await Promise.all([path, small].map(isSigned))).toEqual([false, false]);
  expect(ffprobe(path).streams[0]).toMatchObject({ codec_name: 'h264', ...size, nb_frames: '20' });
  expect(ffprobe(small).streams[0]).toMatchObject({ codec_name: 'h264', width: 160, height: 96, nb_frames: '20' });
});

it('without the rights of CUDA the driver does not start, and the error names it', { timeout: 60_000 }, async () => {
  const { code, stderr } = await runCli(['render', join(folder.path, 'movie.json'), '-o', join(folder.path, 'no-card.mp4')], { env: substituteCard() });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/CUDA_ERROR_OPERATING_SYSTEM/);
});

it('bench gpu finds what a render finds, in the sandbox, and writes JSON and a page', { timeout: 300_000 }, async () => {
  const out = join(folder.path, 'gpu');
  const { code, stdout, stderr } = await runCli(['bench', 'gpu', '-o', out, '--cases', '2', '--no-speed', '--json'], {
    env: { ...substituteCard(), FRAMEWRIGHT_SANDBOX: 'required' },
    within: onHostWithCard,
  });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toMatch(/substitute driver:|failed:/);
  const { json, html } = JSON.parse(stdout) as { json: string; html: string };
  const { check } = JSON.parse(await readFile(json, 'utf8')) as GpuBenchDocument;
  expect(check.encoders.find(({ name }) => name === 'h264_nvenc')).toMatchObject({ opens: true, reason: '' });
  expect(check.devices[0]).toMatchObject({
    missing: '',
    errors: [],
    parity: { cases: 2, wrong: 0 },
    deepParity: { cases: 2, wrong: 0 },
    sharing: { opaque: '' },
    decodedFrames: [{ decoder: 'nvdec 0', path: 'cuda', reason: '' }],
  });
  // The substitute has no AV1; every format is tried.
  const exact = ['h264', 'hevc', 'hevc (10 bits)', 'vp9', 'vp9 (10 bits)'];
  expect(check.decoders.map(({ codec }) => codec)).toEqual([...exact, 'av1', 'av1 (10 bits)']);
  expect(check.decoders.filter(({ exact: isExact }) => isExact).map(({ codec }) => codec)).toEqual(exact);
  const page = await readFile(html, 'utf8');
  expect(page).toContain(check.devices[0]?.name.replace(/&/g, '&amp;'));
  expect(page).toContain('2 random frames, 0 wrong');
});
