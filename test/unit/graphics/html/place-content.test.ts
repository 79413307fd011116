import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPage } from '../../../../src/graphics/index.js';
import { at30, openTestHtmlSprites, pageOf, type TestHtmlSprites } from '../../../support/html-sprites.js';
import { decodeImages } from '../../../support/sequence-file.js';

describe('a snippet with a place in its page', () => {
  let bench: TestHtmlSprites;
  beforeAll(async () => {
    bench = await openTestHtmlSprites();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  /** Left, top, right and bottom of what is seen. */
  async function inkOf(page: HtmlPage): Promise<number[]> {
    const drawn = await bench.sprites.draw(page, at30(1));
    const [pixels = Buffer.alloc(0)] = decodeImages([readFileSync(drawn.path)], drawn.width, drawn.height);
    const seen = Array.from({ length: drawn.width * drawn.height }, (_, i) => i).filter((i) => (pixels[i * 4 + 3] ?? 0) > 0);
    const [xs, ys] = [seen.map((i) => i % drawn.width), seen.map((i) => Math.floor(i / drawn.width))];
    const smallest = (values: number[]): number => values.reduce((a, b) => Math.min(a, b), 1e9);
    const largest = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), -1);
    return [smallest(xs), smallest(ys), largest(xs) + 1, largest(ys) + 1];
  }

  const size = { width: 400, height: 100 };
  const at = (horizontal: 'low' | 'center' | 'high' | undefined, vertical: 'low' | 'center' | 'high' | undefined) => ({
    ...size,
    place: {
      ...(horizontal && { horizontal: { at: horizontal, margin: 20 } }),
      ...(vertical && { vertical: { at: vertical, margin: 5 } }),
    },
  });
  /** A box of 60 by 30 that as a block would be as wide as its page. */
  const tag = '<div style="padding:10px;background:#080"><i style="display:block;width:40px;height:10px"></i></div>';

  it.each([
    ['low', 'low', [20, 5, 80, 35]],
    ['high', 'high', [320, 65, 380, 95]],
    ['center', 'center', [170, 35, 230, 65]],
    ['high', 'center', [320, 35, 380, 65]],
    [undefined, 'high', [0, 65, 400, 95]],
    ['high', undefined, [320, 0, 380, 30]],
  ] as const)('is as large as its content and stands there: %s, %s', async (horizontal, vertical, wanted) => {
    expect(await inkOf(pageOf(tag, at(horizontal, vertical)))).toEqual(wanted);
    expect(await inkOf(pageOf(tag, { ...at(horizontal, vertical), css: { 'font-weight': '700' } }))).toEqual(wanted);
  });

  it.each([
    ['a share of the page', '<div style="width:100%;height:50%;background:#080"></div>', [0, 0, 400, 50]],
    ['all of it, by rules of its own', '<style>div{width:100vw;height:100vh;background:#080}</style><div></div>', [0, 0, 400, 100]],
    ['what is out of the flow', '<div style="position:absolute;left:7px;bottom:3px;width:20px;height:10px;background:#080"></div>', [7, 87, 27, 97]],
    [
      'what its own body places',
      '<style>body{display:flex;justify-content:end}</style><i style="width:20px;height:10px;background:#080"></i>',
      [380, 0, 400, 10],
    ],
    ['a document of its own', '<html><body><div style="width:20px;height:10px;background:#080"></div></body></html>', [0, 0, 20, 10]],
  ])('stays as it is where it has %s', async (_what, html, wanted) => {
    expect(await inkOf(pageOf(html, at('center', 'center')))).toEqual(wanted);
  });

  it('keeps the share of one side and is placed along the other', async () => {
    const bar = '<div style="width:100%;height:20px;background:#080"></div>';
    expect(await inkOf(pageOf(bar, at('center', 'high')))).toEqual([0, 75, 400, 95]);
  });

  it('is placed once Tailwind has styled it', async () => {
    const html = '<div class="w-[60px] h-[30px] bg-[#008800]"></div>';
    expect(await inkOf(pageOf(html, { ...at('high', 'high'), tailwind: true }))).toEqual([320, 65, 380, 95]);
    const whole = '<div class="w-full h-full bg-[#008800]"></div>';
    expect(await inkOf(pageOf(whole, { ...at('high', 'high'), tailwind: true }))).toEqual([0, 0, 400, 100]);
  });
});
