import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

/** Masks and images with alpha in outputs of 10 bits and HDR, decoded by ffmpeg. */

let folder: { path: string; remove: () => Promise<void> };
const inFolder = (name: string): string => join(folder.path, name);

const [WIDTH, HEIGHT, PATCH] = [640, 64, 128];
const precisions = { sdr: { bit_depth: 10 }, pq: { hdr: 'pq' }, hlg: { hdr: 'hlg' }, linear: { bit_depth: 10, blend_space: 'linear' } } as const;
type Precision = keyof typeof precisions;

beforeAll(async () => {
  folder = await temporaryFolder();
  const source = (size: string, expression: string): string => `nullsrc=s=${size}:d=0.2:r=10,format=gbrap,geq=${expression}`;
  const image = (name: string, from: string, ...more: string[]): Promise<unknown> =>
    ffmpeg('-f', 'lavfi', '-i', from, '-frames:v', '1', ...more, inFolder(name));
  const steps = '63.75*floor(X/128)';
  await image('white.png', 'color=white:s=640x64');
  await image('greys.png', source('640x64', `r=${steps}:g=${steps}:b=${steps}:a=255`), '-pix_fmt', 'rgb24');
  await image('colours.png', source('640x64', 'r=255*lt(X\\,256):g=255*between(X\\,128\\,383):b=255*gte(X\\,384):a=255'), '-pix_fmt', 'rgb24');
  await image('alphas.png', source('640x64', `r=255:g=255:b=255:a=${steps}`), '-pix_fmt', 'rgba');
  // Scaled up, so that its edges are mixtures.
  await image('small.png', source('10x2', 'r=255*mod(X\\,2):g=255*mod(X\\,2):b=255*mod(X\\,2):a=255'), '-pix_fmt', 'rgb24');
  await ffmpeg('-f', 'lavfi', '-i', source('640x64', `r=${steps}:g=${steps}:b=${steps}:a=255`), '-c:v', 'ffv1', '-pix_fmt', 'bgr0', inFolder('greys.mkv'));
  const deep = "nullsrc=s=640x64,format=gbrap16le,geq=r='65535':g='65535':b='65535':a='20000+X*40'";
  await image('deep.png', deep, '-pix_fmt', 'rgba64be');
});
afterAll(() => folder.remove());

/** Luma of the first frame's middle row, as a share of that of white. */
async function shares(name: string, precision: Precision, script: object): Promise<number[]> {
  const file = inFolder(`${name}-${precision}.json`);
  const video = inFolder(`${name}-${precision}.mov`);
  const outputs = [{ name: 'video', format: 'mov', codec: 'prores-422' }];
  await writeFile(file, JSON.stringify({ width: WIDTH, height: HEIGHT, fps: 10, ...precisions[precision], ...script, outputs }));
  const { code, stderr } = await runCli(['render', file, '-o', video]);
  expect(code, stderr).toBe(0);
  const frame = execFileSync('ffmpeg', ['-v', 'error', '-i', video, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'yuv422p10le', '-']);
  const white = { sdr: 876, linear: 876, pq: 876 * 0.5807, hlg: 876 * 0.75 }[precision];
  return Array.from({ length: WIDTH }, (_, x) => (frame.readUInt16LE(2 * ((HEIGHT / 2) * WIDTH + x)) - 64) / white);
}

const masked = (mask: string): object => ({ scenes: [{ duration: 0.2, elements: [{ type: 'image', src: 'white.png', mask }] }] });
const middles = Array.from({ length: 5 }, (_, index) => index * PATCH + PATCH / 2);

describe('masks', () => {
  it.each(['greys.png', 'colours.png', 'alphas.png', 'small.png', 'greys.mkv'])(
    'cover in HDR as much as in SDR: %s',
    async (mask) => {
      const name = mask.replace('.', '-');
      const sdr = await shares(name, 'sdr', masked(mask));
      if (mask.startsWith('greys') || mask === 'alphas.png')
        for (const [index, x] of middles.entries()) expect(Math.abs((sdr[x] ?? 0) - index / 4), `${x}`).toBeLessThan(0.01);
      for (const precision of ['pq', 'hlg'] as const) {
        const hdr = await shares(name, precision, masked(mask));
        for (let x = 4; x < WIDTH; x += 12) expect(Math.abs((hdr[x] ?? 0) - (sdr[x] ?? 0)), `${precision} ${x}`).toBeLessThan(0.015);
      }
    },
    60_000,
  );

  it('cover a share of the light in linear light', async () => {
    const covered = await shares('linear', 'linear', masked('greys.png'));
    const light = (signal: number): number => (signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4);
    for (const [index, x] of middles.entries()) expect(Math.abs(light(covered[x] ?? 0) - index / 4), `${x}`).toBeLessThan(0.015);
  });

  it('of a luma wipe order its parts in HDR as in SDR', async () => {
    const transition = { style: 'luma', src: 'greys.png', duration: 1, softness: 0.3 };
    const wipe = {
      scenes: [
        { duration: 1, background: '#000000' },
        { duration: 1, background: '#ffffff', transition },
      ],
    };
    const rendered = async (precision: Precision): Promise<string> => {
      const file = inFolder(`wipe-${precision}.json`);
      const video = inFolder(`wipe-${precision}.mov`);
      const outputs = [{ name: 'video', format: 'mov', codec: 'prores-422', range: { start: 1.5, duration: 0.1 } }];
      await writeFile(file, JSON.stringify({ width: WIDTH, height: HEIGHT, fps: 10, ...precisions[precision], ...wipe, outputs }));
      const { code, stderr } = await runCli(['render', file, '-o', video]);
      expect(code, stderr).toBe(0);
      return video;
    };
    const whites = (video: string): boolean[] => {
      const frame = execFileSync('ffmpeg', ['-v', 'error', '-i', video, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'yuv422p10le', '-']);
      return middles.map((x) => frame.readUInt16LE(2 * ((HEIGHT / 2) * WIDTH + x)) > 300);
    };
    const sdr = whites(await rendered('sdr'));
    expect(new Set(sdr).size).toBe(2);
    for (const precision of ['pq', 'hlg'] as const) expect(whites(await rendered(precision))).toEqual(sdr);
  }, 60_000);
});

describe('images of 16 bits with alpha', () => {
  it.each(['sdr', 'pq'] as const)('keep more than 8 bits: %s', async (precision) => {
    const gradient = await shares('deep', precision, { scenes: [{ duration: 0.2, elements: [{ type: 'image', src: 'deep.png' }] }] });
    for (let x = 8; x < WIDTH; x += 16) expect(Math.abs((gradient[x] ?? 0) - (20000 + x * 40) / 65535), `${x}`).toBeLessThan(0.004);
    // A step of 8 bits shows for 6 columns.
    const levels = new Set(gradient.map((share) => Math.round(share * 876)));
    expect(levels.size).toBeGreaterThan(150);
  });
});
