import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TextSprites } from '../../../../src/graphics/index.js';
import { createTextSprites } from '../../../../src/graphics/index.js';
import type { Typography } from '../../../../src/script/index.js';
import { createFileCache, type FileCache } from '../../../../src/storage/cache/index.js';
import { type Image, largestDifference } from '../../../support/golden-image.js';
import { composePieces, readSprite } from '../../../support/sprite-image.js';
import { black, makeTextElement } from '../../../support/typography.js';

const box = { width: 400, height: 160 };
let folder: string;
let draw: (text: string, typography?: Partial<Typography>, style?: '001' | '002' | '003') => Promise<TextSprites>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sprites-'));
  const drawer = createTextSprites({ folder });
  draw = (text, typography, style) => drawer.drawText(makeTextElement(text, typography, style), box);
});
afterAll(() => rmSync(folder, { recursive: true }));

const underline = { underline: true, lineThrough: false, overline: false };
const ink = (image: Image, x: number, y: number) => image.pixels[(y * image.width + x) * 4 + 3] as number;

/** Alpha at the border of a sprite: more than a shadow's last trace would mean that something was cut off. */
function borderAlpha(image: Image): number {
  let max = 0;
  for (let x = 0; x < image.width; x++) max = Math.max(max, ink(image, x, 0), ink(image, x, image.height - 1));
  for (let y = 0; y < image.height; y++) max = Math.max(max, ink(image, 0, y), ink(image, image.width - 1, y));
  return max;
}

/** Sum of the alpha of all pieces. */
function totalInk(sprites: TextSprites): number {
  return sprites.pieces.reduce((sum, { path }) => sum + readSprite(path).pixels.reduce((own, value, i) => own + (i % 4 === 3 ? value : 0), 0), 0);
}

test('letters that the family lacks keep the weight', async () => {
  const [regular, bold] = await Promise.all([400, 700].map((fontWeight) => draw('\u6771\u4eac', { fontFamilies: ['Anton'], fontWeight, fontSize: 60 })));
  const inter = await draw('\u6771\u4eac', { fontFamilies: ['Inter'], fontWeight: 700, fontSize: 60 });
  expect(totalInk(bold as TextSprites) / totalInk(regular as TextSprites)).toBeGreaterThan(1.15);
  expect(totalInk(bold as TextSprites) / totalInk(inter)).toBeCloseTo(1, 2);
});

describe('sprite files', () => {
  test('hold premultiplied pixels of even size at even places', async () => {
    const { pieces } = await draw('Half', { color: { r: 200, g: 100, b: 40, a: 128 }, fontSize: 60 });
    expect(pieces).toHaveLength(1);
    const [piece] = pieces;
    const sprite = readSprite(piece?.path as string);
    expect([piece?.width, piece?.height]).toEqual([sprite.width, sprite.height]);
    for (const value of [piece?.x, piece?.y, piece?.width, piece?.height]) expect((value as number) % 2).toBe(0);
    let max = 0;
    for (let i = 0; i < sprite.pixels.length; i += 4) {
      const [r, g, b, a] = sprite.pixels.subarray(i, i + 4) as unknown as [number, number, number, number];
      expect(Math.max(r, g, b)).toBeLessThanOrEqual(a);
      if (a > max) {
        max = a;
        expect(Math.abs(r - (200 * a) / 255)).toBeLessThanOrEqual(1.5);
      }
    }
    expect(max).toBe(128);
  });

  test('of a text that is magnified have as many pixels as it is magnified, in the same place', async () => {
    const look = {
      fontSize: 24,
      stroke: { width: 1, color: black },
      shadows: [{ x: 3, y: 2, blur: 4, color: black }],
      padding: { top: 4, right: 4, bottom: 4, left: 4 },
    };
    const twice = {
      fontSize: 48,
      stroke: { width: 2, color: black },
      shadows: [{ x: 6, y: 4, blur: 8, color: black }],
      padding: { top: 8, right: 8, bottom: 8, left: 8 },
    };
    const drawer = createTextSprites({ folder });
    const dense = await drawer.drawText(makeTextElement('Sharp', look), box, { density: 2 });
    const large = await drawer.drawText(makeTextElement('Sharp', twice), { width: 800, height: 320 });
    expect(dense.pieces).toHaveLength(1);
    const [piece, larger] = [dense.pieces[0], large.pieces[0]] as const;
    const [sprite, expected] = [readSprite(piece?.path as string), readSprite(larger?.path as string)];
    expect([sprite.width / 2, sprite.height / 2]).toEqual([piece?.width, piece?.height]);
    expect(Math.abs(sprite.width - expected.width)).toBeLessThanOrEqual(2);
    for (const key of ['x', 'y'] as const) expect(Math.abs((piece?.[key] as number) - (larger?.[key] as number) / 2)).toBeLessThanOrEqual(1);
    // The letters' edges are those of the larger text, not of one that was stretched.
    const soft = (image: Image) => image.pixels.filter((_, i) => i % 4 === 0).filter((value) => value > 20 && value < 235).length / image.pixels.length;
    expect(soft(sprite)).toBeLessThan(soft(expected) * 1.1);
  });

  test('of large texts are not denser than four frames of 1080p', async () => {
    const drawer = createTextSprites({ folder });
    const { pieces } = await drawer.drawText(makeTextElement('Whole', { fontSize: 900, shadows: [] }), { width: 3000, height: 1400 }, { density: 4 });
    const sprite = readSprite(pieces[0]?.path as string);
    expect(sprite.width * sprite.height).toBeLessThan(4.2 * 1920 * 1080);
    expect(sprite.width).toBeGreaterThan(pieces[0]?.width as number);
  });

  test('are cut to the ink', async () => {
    const sprite = readSprite((await draw('x')).pieces[0]?.path as string);
    expect(sprite.width).toBeLessThan(20);
    const row = (y: number) => Math.max(...Array.from({ length: sprite.width }, (_, x) => ink(sprite, x, y)));
    expect(Math.max(row(0), row(1))).toBeGreaterThan(0);
    expect(Math.max(row(sprite.height - 1), row(sprite.height - 2))).toBeGreaterThan(0);
  });

  test('of equal texts are drawn once, also by another drawer, and leave nothing half-written', async () => {
    const [first, second] = await Promise.all([draw('Twice the same'), draw('Twice the same')]);
    const path = first.pieces[0]?.path as string;
    const written = statSync(path).mtimeMs;
    const count = readdirSync(folder).length;
    const again = await createTextSprites({ folder }).drawText(makeTextElement('Twice the same'), box);
    expect([second, again]).toEqual([first, first]);
    expect(statSync(path).mtimeMs).toBe(written);
    expect(readdirSync(folder)).toHaveLength(count);
    expect(readdirSync(folder).filter((name) => !/^[0-9a-f]{40}\.(?:fwsp|json)$/.test(name))).toEqual([]);
  });

  test('of an earlier render are taken from the cache, and drawn anew when one is damaged', async () => {
    const within = mkdtempSync(join(tmpdir(), 'sprites-kept-'));
    const cacheFolder = join(within, 'cache');
    const cache = createFileCache({ folder: cacheFolder, maxBytes: 1e9, reserveBytes: 0 });
    const taken: string[] = [];
    const observed: FileCache = {
      get: async (key, path) => {
        const bytes = await cache.get(key, path);
        if (bytes !== undefined) taken.push(path);
        return bytes;
      },
      has: (key) => cache.has(key),
      put: (key, path) => cache.put(key, path),
    };
    const render = async (name: string): Promise<{ image: string[]; taken: number; sizes: number[] }> => {
      taken.length = 0;
      const drawer = createTextSprites({ folder: join(within, name), cache: observed });
      const { pieces } = await drawer.drawText(makeTextElement('Kept for later', {}, '003'), box);
      for (const { path } of pieces) expect(path.startsWith(join(within, name))).toBe(true);
      return { image: pieces.map(({ path }) => readFileSync(path, 'latin1')), taken: taken.length, sizes: pieces.map(({ x, width }) => x + width) };
    };
    const first = await render('first');
    expect(first.taken).toBe(0);
    const files = new Set(first.image).size + 1;
    expect(readdirSync(cacheFolder)).toHaveLength(files);
    const second = await render('second');
    expect(second).toEqual({ ...first, taken: expect.any(Number) });
    expect(second.taken).toBeGreaterThanOrEqual(files);
    const damaged = readdirSync(cacheFolder).sort((a, b) => statSync(join(cacheFolder, b)).size - statSync(join(cacheFolder, a)).size)[0] as string;
    writeFileSync(join(cacheFolder, damaged), 'FWKEPT1\nnothing of use');
    expect((await render('third')).image).toEqual(first.image);
    rmSync(within, { recursive: true });
  });

  test('are drawn again when a file was lost or cut short', async () => {
    const path = (await draw('Repair me')).pieces[0]?.path as string;
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, 20));
    expect((await draw('Repair me')).pieces[0]?.path).toBe(path);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test.each<[string, Partial<Typography>]>([
    ['text', {}],
    ['weight', { fontWeight: 700 }],
    ['colour', { color: black }],
    ['family', { fontFamilies: ['Roboto'] }],
    ['size', { fontSize: 25 }],
    ['shadow', { shadows: [{ x: 1, y: 1, blur: 0, color: black }] }],
    ['stroke', { stroke: { width: 1, color: black } }],
  ])('have another name when the %s differs', async (what, typography) => {
    const plain = await draw('Name me');
    const other = await draw(what === 'text' ? 'Name mf' : 'Name me', typography);
    expect(other.pieces[0]?.path).not.toBe(plain.pieces[0]?.path);
  });

  test('that would be too large are refused, naming the element', async () => {
    await expect(draw('Huge', { fontSize: 20000 })).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      path: 'scenes.0.elements.0',
      message: expect.stringContaining('16384'),
    });
  });

  test('of empty text are none; a background stands alone', async () => {
    expect((await draw('  \n ')).pieces).toEqual([]);
    const { pieces, width, height } = await draw('', { backgroundColor: black, padding: { top: 10, right: 20, bottom: 10, left: 20 } }, '003');
    expect(pieces.map(({ role }) => role)).toEqual(['background']);
    expect([width, height]).toEqual([40, pieces[0]?.height]);
  });
});

describe('words', () => {
  const looks: Array<[string, string, Partial<Typography>]> = [
    ['Latin in three lines', 'One two three AVATAR five, six (seven) eight', { fontSize: 40 }],
    ['justified', 'One two three four five six seven eight nine ten', { textAlign: 'justify', fontSize: 30 }],
    [
      'underlined, on a background',
      'Typography gypsy jig',
      { fontSize: 36, textDecoration: underline, backgroundColor: { r: 9, g: 9, b: 90, a: 200 }, borderRadius: 8 },
    ],
    ['stroked', 'Wide stroke here', { fontSize: 40, stroke: { width: 2, color: black } }],
    ['shadowed', 'Some soft shadow', { fontSize: 40, shadows: [{ x: 2, y: 2, blur: 2, color: { r: 33, g: 33, b: 33, a: 128 } }] }],
    ['letter-spaced', 'Air between us', { letterSpacing: 6 }],
    ['translucent', 'See through me', { color: { r: 255, g: 255, b: 255, a: 100 }, stroke: { width: 1, color: black } }],
    ['Hebrew and Latin', '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd (hello) world 25.50!', {}],
    ['Arabic', '\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645 \u0647\u0630\u0627 \u0646\u0635', { fontSize: 40 }],
  ];

  test.each(looks)('composed give the image of the block: %s', async (_, text, typography) => {
    const block = composePieces((await draw(text, typography)).pieces, box);
    const words = composePieces((await draw(text, typography, '003')).pieces, box);
    // Two roundings of a blend where neighbours' shadows or strokes meet.
    expect(largestDifference(block, words)).toBeLessThanOrEqual(2);
  });

  test('come in reading order, right-to-left ones from the right', async () => {
    const { pieces } = await draw('\u05d0\u05d1\u05d2 \u05d3\u05d4\u05d5 \u05d6\u05d7\u05d8', {}, '003');
    expect(pieces.map(({ role, index }) => `${role} ${index}`)).toEqual(['word 0', 'word 1', 'word 2']);
    const [first, second, third] = pieces.map(({ x }) => x) as [number, number, number];
    expect(first).toBeGreaterThan(second);
    expect(second).toBeGreaterThan(third);
  });

  test('stand behind nothing but their background', async () => {
    const { pieces } = await draw('a b', { backgroundColor: black }, '003');
    expect(pieces.map(({ role }) => role)).toEqual(['background', 'word', 'word']);
  });
});

describe('looks', () => {
  test('a shadow, a stroke and a tall diacritic are not cut off', async () => {
    const { pieces } = await draw('f\u1ea4\u0328g', {
      fontFamilies: ['Playfair Display'],
      fontStyle: 'italic',
      fontSize: 60,
      stroke: { width: 5, color: black },
      shadows: [
        { x: -9, y: 7, blur: 20, color: black },
        { x: 12, y: -12, blur: 8, color: black },
      ],
    });
    expect(borderAlpha(readSprite(pieces[0]?.path as string))).toBeLessThanOrEqual(6);
  });

  test.each([
    ['underline', 1, 7],
    ['lineThrough', -14, -4],
    ['overline', -27, -20],
  ] as const)('%s runs through the whole line at its height', async (kind, from, to) => {
    const typography = { fontSize: 24, horizontalPosition: 'left', verticalPosition: 'top', textAlign: 'left' } as const;
    const image = composePieces(
      (await draw('min man', { ...typography, textDecoration: { underline: false, lineThrough: false, overline: false, [kind]: true } })).pieces,
      box,
    );
    const plain = composePieces((await draw('min man', typography)).pieces, box);
    const width = (await draw('min man', typography)).width;
    const full: number[] = [];
    for (let y = 0; y < 40; y++) if (Array.from({ length: width - 4 }, (_, x) => ink(image, x + 2, y)).every((alpha) => alpha === 255)) full.push(y);
    expect(full.length).toBeGreaterThanOrEqual(1);
    expect(full.length).toBeLessThanOrEqual(3);
    // The x-height letters' feet tell where the baseline is.
    const baseline = Array.from({ length: 40 }, (_, y) => y).findLast((y) =>
      Array.from({ length: width }, (_, x) => ink(plain, x, y)).some((alpha) => alpha > 128),
    ) as number;
    for (const y of full) expect(y - baseline - 1).toSatisfy((offset: number) => offset >= from && offset <= to);
  });

  test('an underline leaves room around descenders', async () => {
    const rows = async (text: string) => {
      const { pieces } = await draw(text, { fontSize: 60, textDecoration: underline });
      const sprite = readSprite(pieces[0]?.path as string);
      return Array.from({ length: sprite.height }, (_, y) =>
        Array.from({ length: sprite.width - 4 }, (_, x) => ink(sprite, x + 2, y)).every((a) => a === 255),
      ).some(Boolean);
    };
    expect([await rows('nnn'), await rows('npn')]).toEqual([true, false]);
  });

  test('a translucent text has one even alpha where letters touch, and no stroke inside', async () => {
    const { pieces } = await draw('AVAV', {
      fontSize: 80,
      letterSpacing: -12,
      color: { r: 255, g: 255, b: 255, a: 128 },
      stroke: { width: 4, color: { r: 255, g: 0, b: 0, a: 128 } },
    });
    const { pixels } = readSprite(pieces[0]?.path as string);
    let max = 0;
    let pureWhite = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      max = Math.max(max, pixels[i + 3] as number);
      if (pixels[i + 3] === 128 && pixels[i + 1] === 128) pureWhite++;
    }
    expect(max).toBeLessThanOrEqual(130);
    expect(pureWhite).toBeGreaterThan(500);
  });

  test('a shadow blurs by half its blur radius as sigma', async () => {
    const { pieces } = await draw('\u2014', {
      fontSize: 150,
      fontFamilies: ['Inter'],
      fontWeight: 900,
      color: { r: 0, g: 0, b: 0, a: 0 },
      shadows: [{ x: 0, y: 0, blur: 16, color: black }],
    });
    const sprite = readSprite(pieces[0]?.path as string);
    const column = Array.from({ length: sprite.height }, (_, y) => ink(sprite, sprite.width / 2, y));
    const weight = column.reduce((sum, a) => sum + a, 0);
    const centre = column.reduce((sum, a, y) => sum + a * y, 0) / weight;
    const variance = column.reduce((sum, a, y) => sum + a * (y - centre) ** 2, 0) / weight;
    // A bar of height h blurred with sigma s has variance h^2 / 12 + s^2, and its area keeps h.
    const sigma = Math.sqrt(variance - (weight / 255) ** 2 / 12);
    expect(sigma).toBeGreaterThan(7);
    expect(sigma).toBeLessThan(9);
  });

  test('lines with a fallback font keep their distance', async () => {
    const top = async (text: string) => (await draw(`${text}\nx`, { verticalPosition: 'top' })).height;
    expect(await top('\u0645\u0631\u062d\u0628\u0627')).toBe(await top('abc'));
  });

  test.each([
    ['left', 'top', 0, 0],
    ['right', 'bottom', 1, 1],
    ['center', 'center', 0.5, 0.5],
  ] as const)('the block stands %s %s in its box', async (horizontalPosition, verticalPosition, right, down) => {
    const { pieces, width, height } = await draw('place', {
      horizontalPosition,
      verticalPosition,
      backgroundColor: black,
      padding: { top: 8, right: 8, bottom: 8, left: 8 },
    });
    expect(Math.abs((pieces[0]?.x as number) - (box.width - width) * right)).toBeLessThanOrEqual(1);
    expect(Math.abs((pieces[0]?.y as number) - (box.height - height) * down)).toBeLessThanOrEqual(1);
    expect([pieces[0]?.width, pieces[0]?.height]).toEqual([width, height]);
  });

  test('a radius rounds the background', async () => {
    const corner = async (borderRadius: number) =>
      readSprite((await draw('r', { backgroundColor: black, padding: { top: 9, right: 9, bottom: 9, left: 9 }, borderRadius })).pieces[0]?.path as string)
        .pixels[3];
    expect([await corner(0), await corner(12)]).toEqual([255, 0]);
  });
});
