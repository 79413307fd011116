import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { decodeFrames, ffmpeg, ffprobe } from '../support/ffmpeg.js';
import { onHostWithRenderNode, substituteVaapi } from '../support/substitute-card.js';

/** The real engine in its sandbox, with libva and libav's own VAAPI code, on a substitute driver that checks each call. */

const size = { width: 160, height: 96 };
let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x192:r=25:d=1', '-pix_fmt', 'yuv420p'];
  await ffmpeg(...source, '-c:v', 'libx264', '-bf', '3', join(folder.path, 'clip.mp4'));
  const scenes = [{ duration: 1, elements: [{ type: 'video', src: 'clip.mp4' }] }];
  await writeFile(join(folder.path, 'movie.json'), JSON.stringify({ ...size, fps: 25, scenes }));
});
afterAll(() => folder.remove());

async function render(name: string, env: Record<string, string>): Promise<{ path: string; output: string }> {
  const path = join(folder.path, `${name}.mp4`);
  const { code, stdout, stderr } = await runCli(['render', join(folder.path, 'movie.json'), '-o', path, '--profile', '--no-cache'], {
    env: { ...substituteVaapi(), FRAMEWRIGHT_SANDBOX: 'required', ...env },
    within: onHostWithRenderNode,
  });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toMatch(/substitute driver:/);
  return { path, output: stdout + stderr };
}

it('VAAPI encodes inside the sandbox, and the video is that of the CPU', { timeout: 120_000 }, async () => {
  const [plain, onCard] = [await render('plain', { FRAMEWRIGHT_ENCODER: 'software' }), await render('card', { FRAMEWRIGHT_ENCODER: 'vaapi' })];
  // Only x264 on the CPU signs its streams.
  expect((await readFile(onCard.path)).includes('x264 - core')).toBe(false);
  expect(ffprobe(onCard.path).streams[0]).toMatchObject({ codec_name: 'h264', ...size, nb_frames: '25' });
  const [left, right] = [(await decodeFrames(plain.path, 'gray')).frames, (await decodeFrames(onCard.path, 'gray')).frames];
  expect(right.length).toBe(25);
  const differences = left.map((frame, at) => frame.reduce((max, value, index) => Math.max(max, Math.abs(value - (right[at]?.[index] ?? 0))), 0));
  expect(Math.max(...differences)).toBeLessThan(60);
});

it('clips that VAAPI decodes inside the sandbox give the same file', { timeout: 120_000 }, async () => {
  const software = await render('software-decode', { FRAMEWRIGHT_ENCODER: 'software', FRAMEWRIGHT_HARDWARE_DECODE: 'off' });
  const hardware = await render('hardware-decode', { FRAMEWRIGHT_ENCODER: 'software', FRAMEWRIGHT_HARDWARE_DECODE: 'on' });
  expect(hardware.output).toMatch(/vaapi/);
  expect(await readFile(hardware.path)).toEqual(await readFile(software.path));
});
