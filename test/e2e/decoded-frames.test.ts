import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';
import { onHostWithCard, onHostWithRenderNode, substituteCard, substituteVaapi, substituteVulkan } from '../support/substitute-card.js';

/** The real engine in its sandbox decodes a clip by a substitute driver and draws it by the software Vulkan device, which counts as the same card. */

const FRAMES = 25;

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  const source = ['-f', 'lavfi', '-i', `testsrc2=s=322x194:r=25:d=${FRAMES / 25}`, '-pix_fmt', 'yuv420p'];
  const colors = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  await ffmpeg(...source, ...colors, '-c:v', 'libx264', '-bf', '3', join(folder.path, 'clip.mp4'));
  const elements = [
    { type: 'video', src: 'clip.mp4', width: 200, height: 120, x: 10, y: 10 },
    { type: 'text', text: 'A clip', x: 100, y: 100 },
  ];
  await writeFile(join(folder.path, 'movie.json'), JSON.stringify({ width: 320, height: 180, fps: 25, scenes: [{ duration: FRAMES / 25, elements }] }));
});
afterAll(() => folder.remove());

async function render(name: string, env: Record<string, string>, within: typeof onHostWithCard): Promise<{ bytes: Buffer; output: string }> {
  const path = join(folder.path, `${name}.mp4`);
  const { code, stdout, stderr } = await runCli(['render', join(folder.path, 'movie.json'), '-o', path, '--profile', '--no-cache'], {
    env: { FRAMEWRIGHT_SANDBOX: 'required', FRAMEWRIGHT_COMPOSITOR: 'vulkan', FRAMEWRIGHT_HARDWARE_DECODE: 'on', ...env, FRAMEWRIGHT_ENCODER: 'software' },
    within,
  });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toMatch(/substitute driver: (?!1 contexts)/);
  return { bytes: await readFile(path), output: stdout + stderr };
}

const cards = [
  { path: 'cuda', copies: `${FRAMES} copied on the card, 0 to main memory`, env: () => substituteCard('cards=1,delay=1'), within: onHostWithCard },
  {
    path: 'vaapi',
    copies: '0 copied on the card, 0 to main memory',
    env: () => ({ ...substituteVaapi('vulkan-import=1'), ...substituteVulkan('discrete=1,dma-buf=1') }),
    within: onHostWithRenderNode,
  },
];

it.each(cards)('decoded frames stay on the card by $path inside the sandbox, and the file is that of main memory', { timeout: 300_000 }, async (card) => {
  const stayed = await render(`${card.path}-card`, card.env(), card.within);
  expect(stayed.output).toContain(`1 clips: decoded frames stayed on the card by ${card.path}, ${card.copies}`);
  const passed = await render(`${card.path}-host`, { ...card.env(), FRAMEWRIGHT_INTEROP: 'off' }, card.within);
  expect(passed.output).toContain(`1 clips: decoded frames passed through main memory, 0 copied on the card, ${FRAMES} to main memory`);
  expect(stayed.bytes).toEqual(passed.bytes);
});
