import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, expect, it } from 'vitest';
import { rasterizeSvg, withSvgProbe } from '../../../../src/graphics/index.js';

const folder = mkdtempSync(join(tmpdir(), 'drawings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const settings = { folder: join(folder, 'made'), mode: 'auto' } as const;
const probe = withSvgProbe(async () => 'the engine', settings);

const shapes = '<rect width="100" height="100" fill="red"/>';
const svg = (root: string, content = shapes): string => `<svg xmlns="http://www.w3.org/2000/svg" ${root}>${content}</svg>`;
let count = 0;

function written(content: string | Uint8Array): string {
  count += 1;
  const path = join(folder, `${count}.svg`);
  writeFileSync(path, content);
  return path;
}

it.each([
  [svg('width="40px" height="30.5"'), 40, 31],
  [svg('width="1in" height="2in"'), 96, 192],
  [svg('viewBox="0 0 64 48"'), 64, 48],
  [svg('viewBox="0,0,64,48" width="100%" height="100%"'), 64, 48],
  [svg('width="32" viewBox="0 0 64 48"'), 32, 24],
  [svg(''), 300, 150],
  [`\ufeff<?xml version="1.0"?>\n<!-- <svg width="3"> -->\n<!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY x "y>">]>\n${svg('width="20" height="10"')}`, 20, 10],
])('a drawing is as large as it says: %s', async (text, width, height) => {
  expect(await probe(written(text))).toEqual({ kind: 'image', container: 'svg', width, height, durationSeconds: 0, hasAudio: false, isSvg: true });
});

it.each(['<html><svg></svg></html>', '<svgs/>', '<', '<!--', '<!DOCTYPE svg [', '<?xml', 'svg', ''])('%j is left to the engine', async (text) => {
  expect(await probe(written(text))).toBe('the engine');
});

const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghi'].map((name, i) => `<!ENTITY ${name} "${`&${'abcdefgh'[i]};`.repeat(10)}">`).join('')}]>`;

it.each([
  ['entities within entities', `${bomb}${svg('width="9" height="9"', '<text>&i;</text>')}`],
  ['a billion pixels each way', svg('width="1e9" height="1e9"')],
  ['a hundred thousand groups in each other', svg('width="9" height="9"', '<g>'.repeat(100_000) + '</g>'.repeat(100_000))],
  ['what ends in the middle', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect'],
  ['more than 16 MiB', svg('width="9" height="9"', shapes.repeat(400_000))],
])('a drawing of %s is refused', async (_what, text) => {
  const size = probe(written(text));
  await expect(size).rejects.toMatchObject({ code: 'RENDER_FAILED', message: expect.stringMatching(/^the SVG /) });
});

it('what a drawing refers to is not there: no file, no address, no script, no outside entity', async () => {
  const secret = join(folder, 'secret.png');
  const canvas = createCanvas(10, 10);
  const context = canvas.getContext('2d');
  context.fillStyle = 'red';
  context.fillRect(0, 0, 10, 10);
  writeFileSync(secret, canvas.toBuffer('image/png'));
  const images = [`file://${secret}`, secret, 'secret.png', 'http://127.0.0.1:9/a.png'].map((href) => `<image width="10" height="10" href="${href}"/>`);
  const script = '<script>document.documentElement.firstChild.setAttribute("fill","red")</script>';
  const text = svg('width="10" height="10"', `<rect width="10" height="10" fill="blue" onload="this.setAttribute('fill','red')"/>${images.join('')}${script}`);
  const path = await rasterizeSvg({ path: written(text), width: 20, height: 20, ...settings, signal: new AbortController().signal });
  const { loadImage } = await import('@napi-rs/canvas');
  const seen = createCanvas(20, 20).getContext('2d');
  seen.drawImage(await loadImage(readFileSync(path)), 0, 0);
  const { data } = seen.getImageData(0, 0, 20, 20);
  // The library draws a sign for a missing image.
  expect(Array.from({ length: 400 }, (_, i) => i * 4).filter((at) => (data[at] ?? 0) > 200 && (data[at + 2] ?? 0) < 50)).toEqual([]);
  expect([...data.slice(-4)]).toEqual([0, 0, 255, 255]);
  const entity = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('width="9" height="9"', '<text y="5">&x;</text>')}`;
  const result = await probe(written(entity)).catch((error: Error) => error.message);
  expect(typeof result === 'string' ? result : (result as { width: number }).width).toBeDefined();
});

it('drawings are as dense as asked, the same file for the same', async () => {
  const request = { path: written(svg('width="10" height="5"')), width: 400, height: 200, ...settings, signal: new AbortController().signal };
  const path = await rasterizeSvg(request);
  const png = readFileSync(path);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([400, 200]);
  expect(await rasterizeSvg(request)).toBe(path);
});
