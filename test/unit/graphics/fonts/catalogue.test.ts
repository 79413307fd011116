import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import { nearestWeight } from '../../../../src/graphics/fonts/catalogue.js';
import { fallbackFamilies, isUnexpectedSubstitute, substitutesFor } from '../../../../src/graphics/fonts/families.js';
import { defaultLineMetrics, readLineMetrics, readTables } from '../../../../src/graphics/fonts/font-file.js';
import { createFontCatalogue, createTextSprites } from '../../../../src/graphics/index.js';
import { makeTextElement } from '../../../support/typography.js';

const folder = mkdtempSync(join(tmpdir(), 'sprites-fonts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fonts = createFontCatalogue();
const drawer = createTextSprites({ folder, fonts });
const draw = (text: string, typography = {}) => drawer.drawText(makeTextElement(text, typography), { width: 600, height: 200 });
const installed = new Set(fonts.listFonts().map(({ family }) => family));
const request = { families: ['Inter'], weight: 400, style: 'normal', text: 'abc', lang: 'en' } as const;

/** Whether the table that maps characters to glyphs has one, by its part of format 4. */
function hasGlyph(cmap: Buffer, code: number): boolean {
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const at = cmap.readUInt32BE(4 + i * 8 + 4);
    if (cmap.readUInt16BE(at) !== 4) continue;
    const segments = cmap.readUInt16BE(at + 6) / 2;
    for (let segment = 0; segment < segments; segment++) {
      const end = at + 14 + segment * 2;
      const start = end + 2 + segments * 2;
      if (code > cmap.readUInt16BE(end)) continue;
      if (code < cmap.readUInt16BE(start)) return false;
      const delta = start + segments * 2;
      const offset = cmap.readUInt16BE(delta + segments * 2);
      if (offset === 0) return ((code + cmap.readUInt16BE(delta)) & 0xffff) !== 0;
      return cmap.readUInt16BE(delta + segments * 2 + offset + (code - cmap.readUInt16BE(start)) * 2) !== 0;
    }
  }
  return false;
}

describe('the catalogue', () => {
  test('lists packages with their weights and styles before system fonts of the same name', () => {
    const listed = fonts.listFonts();
    expect(listed.find(({ family }) => family === 'Anton')).toEqual({ family: 'Anton', source: 'package', weights: [400], styles: ['normal'] });
    expect(listed.filter(({ family }) => family === 'Inter')).toHaveLength(1);
    expect(listed.some(({ family }) => family.startsWith('fw-'))).toBe(false);
  });

  test('takes only the unicode subsets that a text needs, the main one always', () => {
    const subsets = (text: string) =>
      fonts.resolve({ ...request, text }).identity.filter((name) => /^fw-inter-[\d.]+-(?:latin|cyrillic|greek|vietnamese)-/.test(name)).length;
    expect([subsets('abc'), subsets('Привет'), subsets('Привет Ελλάδα')]).toEqual([1, 2, 3]);
  });

  test('names the system fonts in the identity only when a text may need them', () => {
    const usesSystem = (text: string) => fonts.resolve({ ...request, text }).identity.some((name) => name.startsWith('system '));
    expect([usesSystem('Plain é Привет'), usesSystem('مرحبا')]).toEqual([false, true]);
  });

  test('reads of the packages that alone which a text names', () => {
    const packages = mkdtempSync(join(tmpdir(), 'font-packages-'));
    const copy = (slug: string, to: string) => cpSync(join('node_modules/@fontsource', slug), join(packages, to), { recursive: true });
    copy('inter', 'inter');
    copy('anton', 'of-another-name');
    mkdirSync(join(packages, 'broken'));
    writeFileSync(join(packages, 'broken', 'metadata.json'), 'no JSON');
    const open = () => createFontCatalogue({ packageFolders: [packages] });
    const catalogue = open();
    expect(catalogue.resolve(request).identity.some((name) => name.startsWith('fw-inter-'))).toBe(true);
    // Whoever asks for another name needs all of them.
    expect(() => catalogue.resolve({ ...request, families: ['Anton'] })).toThrow(SyntaxError);
    rmSync(join(packages, 'broken'), { recursive: true });
    expect(open().resolve({ ...request, families: ['Anton'] }).identity[0]).toMatch(/^fw-of-another-name-|^fw-anton-|^Inter|^fw-inter-/);
    // One that is changed is another font, one that is added is found.
    const changed = readFileSync(join(packages, 'inter', 'package.json'), 'utf8').replace(/"version": "[^"]+"/, '"version": "999.0.0"');
    writeFileSync(join(packages, 'inter', 'package.json'), changed);
    copy('bangers', 'bangers');
    expect(
      open()
        .resolve(request)
        .identity.some((name) => name.startsWith('fw-inter-999.0.0-')),
    ).toBe(true);
    expect(catalogue.resolve({ ...request, families: ['Bangers'] }).identity[0]).toMatch(/^fw-bangers-/);
    rmSync(packages, { recursive: true });
  });

  test('looks for no family behind the one that has every letter of a text', () => {
    const behind = (text: string) => fonts.resolve({ ...request, text }).identity.filter((name) => !name.startsWith('fw-') && !name.startsWith('system '));
    expect(behind('Plain “é” – 5 €…')).toEqual([]);
    expect(behind('→ 日本').length).toBeGreaterThan(0);
  });

  test('the family behind all has what is not looked for elsewhere', () => {
    const signs = Array.from({ length: 0x2200 }, (_, code) => String.fromCharCode(code)).filter(
      (sign) => sign > ' ' && fallbackFamilies(sign, 'en').length === 1,
    );
    expect(signs.length).toBeGreaterThan(190);
    const weights = fonts.listFonts().find(({ family }) => family === 'Inter')?.weights ?? [];
    for (const weight of weights) {
      const cmap = readTables(readFileSync(`node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff2`), 1e8).get('cmap') ?? Buffer.alloc(0);
      expect(signs.filter((sign) => !hasGlyph(cmap, sign.charCodeAt(0)))).toEqual([]);
    }
  });

  test('keeps the weight for letters that a family of fewer weights lacks', () => {
    const asked = { ...request, families: ['Anton'], weight: 700, lang: 'ja', text: 'Tokyo \u6771\u4eac' };
    const { fallback, warnings } = fonts.resolve(asked);
    expect([...'To \u6771'].map((character) => fallback?.isFor(character.codePointAt(0) ?? 0))).toEqual([false, false, false, true]);
    expect(fallback?.font.css(20)).toMatch(/^normal 700 20px /);
    expect(warnings).toHaveLength(1);
    expect(fonts.resolve({ ...asked, text: '\u6771\u4eac' }).warnings).toEqual([]);
    expect(fonts.resolve({ ...asked, text: 'Tokyo' }).fallback).toBeUndefined();
    expect(fonts.resolve({ ...asked, weight: 400 }).fallback).toBeUndefined();
  });

  test('registers really the asked weight and family', () => {
    const context = createCanvas(1, 1).getContext('2d');
    const width = (families: string[], weight: number) => {
      context.font = fonts.resolve({ ...request, families, weight }).css(100);
      return context.measureText('Hamburg').width;
    };
    const widths = [width(['Inter'], 400), width(['Inter'], 900), width(['Anton'], 400), width(['Playfair Display'], 400)];
    expect(new Set(widths).size).toBe(4);
    expect(widths[1]).toBeGreaterThan(widths[0] as number);
  });

  test('knows the East Asian Noto fonts by the names of Google Fonts', () => {
    expect(substitutesFor('Noto Sans KR')).toEqual(['Noto Sans CJK KR', 'Noto Sans CJK JP']);
    expect(substitutesFor('noto serif tc').slice(0, 3)).toEqual(['Noto Serif CJK TC', 'Noto Serif CJK JP', 'Noto Sans CJK TC']);
    expect([isUnexpectedSubstitute('Noto Sans KR', 'Noto Sans CJK JP'), isUnexpectedSubstitute('Noto Serif TC', 'Noto Sans CJK TC')]).toEqual([false, true]);
  });

  test.each([
    [450, [300, 400, 500], 500],
    [400, [300, 500], 500],
    [400, [300, 700], 300],
    [300, [100, 400], 100],
    [200, [300, 900], 300],
    [700, [400, 900], 900],
    [600, [400, 500], 500],
    [700, [400], 400],
  ])('the nearest weight to %i in %j is %i', (asked, weights, nearest) => {
    expect(nearestWeight(asked, weights)).toBe(nearest);
  });

  test('reads decoration lines from font files as the font says', () => {
    const file = (name: string) => new URL(`../../../../node_modules/@fontsource/${name}`, import.meta.url).pathname;
    const inter = readLineMetrics(file('inter/files/inter-latin-400-normal.woff2'));
    const anton = readLineMetrics(file('anton/files/anton-latin-400-normal.woff2'));
    expect(inter).not.toEqual(defaultLineMetrics);
    expect(inter.capHeight).toBeCloseTo(0.727, 2);
    expect(inter.underlinePosition).toBeLessThan(-0.05);
    expect(anton.capHeight).toBeGreaterThan(0.8);
    expect(readLineMetrics('/nowhere')).toEqual(defaultLineMetrics);
  });
});

describe('warnings', () => {
  test('say which family was asked and which is used', async () => {
    const { warnings, pieces } = await draw('Hi', { fontFamilies: ['No Such Font'] });
    expect(warnings).toEqual([`font family "No Such Font" is not installed; "Inter" is used instead`]);
    expect(pieces[0]?.path).toBe((await draw('Hi')).pieces[0]?.path);
  });

  test.each(['constructor', '__proto__', 'toString'])('say it of a family that is called %s, too', async (name) => {
    expect((await draw('Hi', { fontFamilies: [name] })).warnings).toEqual([`font family "${name}" is not installed; "Inter" is used instead`]);
  });

  test('name the next family of the list when that one is there', async () => {
    expect((await draw('Hi', { fontFamilies: ['No Such Font', 'roboto'] })).warnings).toEqual([
      `font family "No Such Font" is not installed; "Roboto" is used instead`,
    ]);
  });

  test('tell the nearest weight and a slanted style', async () => {
    expect((await draw('Hi', { fontFamilies: ['Anton'], fontWeight: 700, fontStyle: 'italic' })).warnings).toEqual([
      `font "Anton" has no weight 700; its nearest weight, 400, is used`,
      `font "Anton" has no italic style; the upright letters are slanted instead`,
    ]);
  });

  test('are not given for generic families', async () => {
    expect((await draw('Hi', { fontFamilies: ['sans-serif'] })).warnings).toEqual([]);
  });

  test('tell of text that is taller than its box, also when it was drawn before', async () => {
    const warnings = ['the text is 260 pixels tall, its box only 200'];
    expect((await draw('tall', { fontSize: 200, lineHeight: 1.3 })).warnings).toEqual(warnings);
    expect((await draw('tall', { fontSize: 200, lineHeight: 1.3 })).warnings).toEqual(warnings);
  });

  test('name characters that no font can draw, and those leave no box', async () => {
    // Never assigned, so that no font can have it.
    const { warnings, pieces } = await draw('a\u0378b');
    expect(warnings).toEqual([`no installed font can draw \u0378 (U+0378); these characters are omitted`]);
    expect(pieces[0]?.path).toBe((await draw('ab')).pieces[0]?.path);
  });
});

describe('every letter of a script has its own shape', () => {
  const scripts: Array<[string, string | undefined, string]> = [
    ['Latin', undefined, 'AÁĄĀẤẞßđŁøŒðþſ'],
    ['Greek', undefined, 'ΑΒΓΔΩαβγδώΐ'],
    ['Cyrillic', undefined, 'БДЖИйЩщЫЯѢґѓ'],
    ['punctuation', undefined, '–‘“…•€£₹©™±×→§¶'],
    ['Arabic', 'Noto Sans Arabic', 'ابجدهوزحطكلمنپچ'],
    ['Hebrew', 'Noto Sans Hebrew', 'אבגדהוזחטלמש'],
    ['Devanagari', 'Noto Sans Devanagari', 'अआकखगघचक्ष'],
    ['Thai', 'Noto Sans Thai', 'กขคงจฉชซ'],
    ['Georgian', 'Noto Sans Georgian', 'აბგდევზ'],
    ['emoji', 'Noto Color Emoji', '😀🚀🎉❤️🇩🇪👩🏽‍🚀👨‍👩‍👧'],
  ];
  test.each(scripts)('%s', async (_, family, letters) => {
    // The fonts of other scripts come with the set-up's system packages; without them there is nothing to look at.
    if (family !== undefined) expect(installed, `${family} is missing: run npm run setup`).toContain(family);
    const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(letters)].map(({ segment }) => segment);
    const shapes = new Map<string, string>();
    for (const grapheme of graphemes) {
      const { pieces, warnings } = await draw(grapheme, { fontSize: 40 });
      expect(warnings, grapheme).toEqual([]);
      const shape = createHash('sha256')
        .update(readFileSync(pieces[0]?.path as string))
        .digest('hex');
      expect(shapes.get(shape), `${grapheme} looks like another letter`).toBeUndefined();
      shapes.set(shape, grapheme);
    }
  });
});
