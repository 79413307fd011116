import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPage } from '../../../../src/graphics/index.js';
import { at30, openTestHtmlSprites, pageOf, type TestHtmlSprites } from '../../../support/html-sprites.js';
import { centreOfInk, decodeImages, decodeSequence, readSequence } from '../../../support/sequence-file.js';

describe('HTML pages', () => {
  let bench: TestHtmlSprites;
  beforeAll(async () => {
    bench = await openTestHtmlSprites();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const drawStill = async (page: HtmlPage) => {
    const drawn = await bench.sprites.draw(page, at30(1));
    expect(drawn.kind).toBe('image');
    const [pixels = Buffer.alloc(0)] = decodeImages([readFileSync(drawn.path)], drawn.width, drawn.height);
    const at = (x: number, y: number): number[] => [...pixels.subarray((y * drawn.width + x) * 4, (y * drawn.width + x) * 4 + 4)];
    return { ...drawn, pixels, at };
  };

  it('are transparent, of exactly their size, with straight alpha', async () => {
    const { at, width, height } = await drawStill(
      pageOf('<div style="position:absolute;left:10px;top:5px;width:50px;height:20px;background:rgba(255,0,0,.5)"></div>', { width: 301, height: 77 }),
    );
    expect([width, height]).toEqual([301, 77]);
    expect(at(0, 0)).toEqual([0, 0, 0, 0]);
    expect(at(300, 76)).toEqual([0, 0, 0, 0]);
    expect(at(9, 10)[3]).toBe(0);
    expect(at(10, 5)).toEqual([255, 0, 0, 128]);
    expect(at(59, 24)).toEqual([255, 0, 0, 128]);
    expect(at(60, 10)[3]).toBe(0);
  });

  it('are drawn at the density that is asked for', async () => {
    const { at, width, height } = await drawStill(pageOf('<div style="width:20px;height:20px;background:#00f"></div>', { dpi: 2, width: 100, height: 50 }));
    expect([width, height]).toEqual([200, 100]);
    expect(at(39, 39)).toEqual([0, 0, 255, 255]);
    expect(at(40, 10)[3]).toBe(0);
  });

  it("take the element's settings as the style of their root", async () => {
    const { at } = await drawStill(pageOf('', { css: { 'background-color': 'rgb(0, 128, 0)', '--x': '"&<>' } }));
    expect(at(200, 30)).toEqual([0, 128, 0, 255]);
  });

  it.each([{}, { color: 'red' }])('apply rules for body and div to the snippet alone (settings %j)', async (css) => {
    const html = '<style>div{width:40px;height:20px;margin-left:10px;background:#00f}</style><div></div>';
    const { at } = await drawStill(pageOf(html, { css }));
    expect([at(9, 10)[3], at(10, 10), at(49, 10), at(50, 10)[3], at(15, 20)[3]]).toEqual([0, [0, 0, 255, 255], [0, 0, 255, 255], 0, 0]);
  });

  it('are placed by what their own body says', async () => {
    const html = '<style>body{display:flex;justify-content:center;align-items:center}i{width:20px;height:20px;background:#00f}</style><i></i>';
    const { at } = await drawStill(pageOf(html));
    expect([at(189, 30)[3], at(190, 20), at(209, 39), at(210, 30)[3], at(195, 19)[3]]).toEqual([0, [0, 0, 255, 255], [0, 0, 255, 255], 0, 0]);
  });

  it('keep a document of their own as it is', async () => {
    const html = '<!doctype html><html><head><title>t</title><style>body{background:#123456}</style></head><body></body></html>';
    expect((await drawStill(pageOf(html))).at(100, 30)).toEqual([0x12, 0x34, 0x56, 255]);
  });

  it('know the utilities of tailwind, without a network', async () => {
    const { at, warnings } = await drawStill(pageOf('<div class="w-10 h-5 bg-black ml-[20px]"></div>', { tailwind: true }));
    expect(warnings).toEqual([]);
    expect([at(19, 10)[3], at(20, 10), at(59, 19), at(60, 10)[3], at(30, 20)[3]]).toEqual([0, [0, 0, 0, 255], [0, 0, 0, 255], 0, 0]);
  });

  it('find installed font packages by family name, also through a link to Google Fonts', async () => {
    const word = (family: string) => `<span style="font:48px ${family}">Framewright</span>`;
    const widthOf = ({ pixels, width }: { pixels: Buffer; width: number }): number => {
      const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
        Array.from({ length: 60 }, (_, y) => pixels[(y * width + x) * 4 + 3]).some(Boolean),
      );
      return Math.max(...columns) - Math.min(...columns);
    };
    const anton = await drawStill(pageOf(word('Anton')));
    const none = await drawStill(pageOf(word('Nonesuch')));
    const linked = await drawStill(
      pageOf(
        `<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Anton&display=swap"><script>document.write('${word("An'+'ton")}')</script>`,
      ),
    );
    expect(anton.warnings).toEqual([]);
    expect(linked.warnings).toEqual([]);
    expect(anton.pixels.equals(none.pixels)).toBe(false);
    expect(widthOf(linked)).toBe(widthOf(anton));
    // Anton is a condensed face.
    expect(widthOf(anton)).toBeLessThan(widthOf(none));
  });

  it('that do not move give one image', async () => {
    const drawn = await bench.sprites.draw(pageOf('<h1>still</h1><script>setTimeout(()=>{},100)</script>'), at30(300));
    expect(drawn.kind).toBe('image');
  });

  it('that stop moving hold their last image, and equal images are kept once', async () => {
    const html = `<b id="t">0</b><script>let n=0;const id=setInterval(()=>{n++;t.textContent=n%2;if(n===8)clearInterval(id)},100)</script>`;
    const { path, kind } = await bench.sprites.draw(pageOf(html), at30(600));
    expect(kind).toBe('sequence');
    const { shown, images } = readSequence(path);
    expect(images).toHaveLength(2);
    expect(shown).toHaveLength(18_000);
    expect(shown.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, k) => (k < 24 ? Math.floor(k / 3) % 2 : 0)));
    expect(new Set(shown.slice(24))).toEqual(new Set([0]));
  });

  it('run for their wait before the first image', async () => {
    const html =
      '<style>i{position:absolute;left:0;width:10px;height:10px;background:red;animation:m 2s linear forwards}@keyframes m{to{transform:translateX(200px)}}</style><i></i>';
    const { path } = await bench.sprites.draw(pageOf(html, { wait: 0.5 }), at30(0.2));
    const { frames, width } = decodeSequence(path);
    expect(frames.map((pixels) => Math.round(centreOfInk(pixels, width).x * 10) / 10)).toEqual([55, 58.3, 61.7, 65, 68.3, 71.7]);
  });

  it('show animated GIFs on the same clock', async () => {
    const source = ['-f', 'lavfi', '-i', 'color=red:s=8x8:r=10:d=0.2', '-f', 'lavfi', '-i', 'color=blue:s=8x8:r=10:d=0.3'];
    const gif = execFileSync('ffmpeg', ['-v', 'error', ...source, '-filter_complex', '[0][1]concat=n=2', '-loop', '0', '-f', 'gif', 'pipe:1']).toString(
      'base64',
    );
    const page = pageOf(`<img style="display:block" src="data:image/gif;base64,${gif}">`, { width: 8, height: 8 });
    const { path } = await bench.sprites.draw(page, at30(1));
    const colours = decodeSequence(path).frames.map((pixels) => ((pixels[0] ?? 0) > (pixels[2] ?? 0) ? 'r' : 'b'));
    expect(colours.join('')).toBe('rrrrrrbbbbbbbbbrrrrrrbbbbbbbbb');
  });

  it('have the same random numbers and the same date in every run', async () => {
    await using other = await openTestHtmlSprites();
    const page = pageOf('<script>document.write(Math.random()+" "+new Date().toISOString()+" "+crypto.randomUUID?.())</script>', { width: 900 });
    const [one, two] = await Promise.all([bench.sprites.draw(page, at30(1)), other.sprites.draw(page, at30(1))]);
    expect(readFileSync(one.path).equals(readFileSync(two.path))).toBe(true);
  });

  it('are drawn once when they are the same', async () => {
    const page = pageOf('<p>once</p>');
    const [one, two] = await Promise.all([bench.sprites.draw(page, at30(1)), bench.sprites.draw(page, at30(1))]);
    const before = await readdir(bench.folder);
    expect(two).toEqual(one);
    expect(await bench.sprites.draw(page, at30(1))).toEqual(one);
    expect((await readdir(bench.folder)).sort()).toEqual(before.sort());
    expect((await bench.sprites.draw({ ...page, width: 399 }, at30(1))).path).not.toBe(one.path);
    expect(before.filter((name) => name.startsWith('page-') || name.endsWith('.part'))).toEqual([]);
    expect(join(bench.folder, one.path.slice(bench.folder.length + 1))).toBe(one.path);
  });

  it('tell what their console and their scripts complain about, within bounds', async () => {
    const html =
      '<script>console.error("bad", {a:1}, 3);console.log("fine");for(let i=0;i<50;i++)console.error("many "+i+"x".repeat(1000));</script><script>boom()</script>';
    const { warnings } = await bench.sprites.draw(pageOf(html), at30(1));
    expect(warnings[0]).toBe('console error of the page: bad Object 3');
    expect(warnings).toHaveLength(11);
    expect(Math.max(...warnings.map((warning) => warning.length))).toBeLessThanOrEqual(301);
    expect(warnings.at(-1)).toBe('42 more warnings of the page are omitted');
    const { warnings: failed } = await bench.sprites.draw(pageOf('<script>boom()</script>'), at30(1));
    expect(failed).toEqual([expect.stringMatching(/^the page's script failed: ReferenceError: boom is not defined/)]);
  });
});
