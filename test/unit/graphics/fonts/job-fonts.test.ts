import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import { createFontCatalogue, UnusableFont } from '../../../../src/graphics/index.js';

const folder = mkdtempSync(join(tmpdir(), 'job-fonts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fonts = createFontCatalogue();
const packages = createRequire(import.meta.url);
const fileOf = (slug: string, name: string) => join(dirname(packages.resolve(`@fontsource/${slug}/package.json`)), 'files', name);
const anton = fileOf('anton', 'anton-latin-400-normal.woff2');
const url = 'https://example.com/font';
const request = { families: [url, 'Inter'], weight: 400, style: 'normal', text: 'Hamburg', lang: 'en' } as const;

function stored(path: string): { path: string; sha256: string } {
  return { path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

function written(bytes: Uint8Array): { path: string; sha256: string } {
  const path = join(folder, createHash('sha256').update(bytes).digest('hex'));
  writeFileSync(path, bytes);
  return stored(path);
}

function widthIn(css: string): number {
  const context = createCanvas(1, 1).getContext('2d');
  context.font = css;
  return context.measureText('Hamburg').width;
}

const fileNames = GlobalFonts.families.length;
const jobFamilies = () => GlobalFonts.families.filter(({ family }) => family.startsWith('fw-file-'));

describe('a font that a job brings along', () => {
  test.each([
    ['WOFF2', anton],
    ['WOFF', fileOf('anton', 'anton-latin-400-normal.woff')],
  ])('as %s is drawn under its address', async (_, path) => {
    const job = fonts.openJob();
    await job.files.add(url, stored(path));
    const font = job.resolve(request);
    expect(font.warnings).toEqual([]);
    expect(widthIn(font.css(100))).toBe(widthIn(fonts.resolve({ ...request, families: ['Anton'] }).css(100)));
    expect(font.lineMetrics).toEqual(fonts.resolve({ ...request, families: ['Anton'] }).lineMetrics);
    job.files.close();
  });

  test('is known to no other job, and gone with its own', async () => {
    const [one, other] = [fonts.openJob(), fonts.openJob()];
    await one.files.add(url, stored(anton));
    expect(jobFamilies()).toHaveLength(1);
    const inter = widthIn(fonts.resolve({ ...request, families: ['Inter'] }).css(100));
    for (const catalogue of [other, fonts]) expect(widthIn(catalogue.resolve(request).css(100))).toBe(inter);
    one.files.close();
    expect(jobFamilies()).toHaveLength(0);
    expect(widthIn(one.resolve(request).css(100))).toBe(inter);
    expect(fileNames).toBeGreaterThan(0);
  });

  test('decides the content hash by its bytes', async () => {
    const identities: string[][] = [];
    for (const path of [anton, anton, fileOf('oswald', 'oswald-latin-400-normal.woff2')]) {
      const job = fonts.openJob();
      await job.files.add(url, stored(path));
      identities.push(job.resolve(request).identity);
      job.files.close();
    }
    expect(identities[0]).toEqual(identities[1]);
    expect(identities[0]).not.toEqual(identities[2]);
  });

  test('draws what it lacks with the next family', async () => {
    const job = fonts.openJob();
    await job.files.add(url, stored(anton));
    const font = job.resolve({ ...request, text: 'Привет' });
    expect(widthIn(font.css(100))).toBeGreaterThan(0);
    expect(font.css(10)).toMatch(/"fw-file-[^"]+", "fw-inter-/);
    job.files.close();
  });

  const whole = readFileSync(anton);
  test.each([
    ['a web page', Buffer.from('<!doctype html><p>Sign in'), /leads to a web page/],
    ['a stylesheet', Buffer.from('/* latin */ @font-face { font-family: X }'), /leads to a stylesheet/],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), /is not a font file/],
    ['cut short', whole.subarray(0, 3000), /damaged/],
    ['nothing but its first bytes', whole.subarray(0, 5), /damaged/],
    ['of tables beyond its end', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0]), Buffer.alloc(200, 0xff)]), /damaged/],
    ['without tables', Buffer.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), /lacks the table cmap/],
  ])('is refused when it is %s, and then said once', async (_, bytes, reason) => {
    const job = fonts.openJob();
    const added = job.files.add(url, written(bytes));
    await expect(added).rejects.toThrow(UnusableFont);
    await expect(added).rejects.toThrow(reason);
    expect(job.resolve(request).warnings).toEqual([]);
    expect(jobFamilies()).toHaveLength(0);
  });
});

describe('the name of a family', () => {
  test('may lack its spaces', () => {
    expect(fonts.resolve({ ...request, families: ['PlayfairDisplay'] }).warnings).toEqual([]);
  });

  test.each([
    ['Robotto', 'Roboto'],
    ['Monserrat', 'Montserrat'],
    ['Source Sans Pro', undefined],
  ])('%s', (asked, near) => {
    const { warnings } = fonts.resolve({ ...request, families: [asked] });
    expect(warnings.join()).toBe(near === undefined ? '' : `font family "${asked}" is not installed; "Inter" is used instead. The nearest name is "${near}"`);
  });
});
