import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanFont, type FontCleaning } from '../../../../src/graphics/fonts/clean-font.js';
import { createFontCatalogue, UnusableFont } from '../../../../src/graphics/index.js';
import { mutate } from '../../../fuzz/mutations.js';

const folder = mkdtempSync(join(tmpdir(), 'clean-fonts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const found = spawnSync('sh', ['-c', 'command -v ots-sanitize'], { encoding: 'utf8' }).stdout.trim();
const cleaning: FontCleaning = { program: found, mode: 'auto' };
const packages = createRequire(import.meta.url);
const fileOf = (slug: string, name: string) => join(dirname(packages.resolve(`@fontsource/${slug}/package.json`)), 'files', name);
const inter = fileOf('inter', 'inter-latin-400-normal.woff2');

function stored(bytes: Uint8Array): { path: string; sha256: string } {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(folder, sha256), bytes);
  return { path: join(folder, sha256), sha256 };
}

function clean(bytes: Buffer): Promise<Buffer> {
  return cleanFont(bytes, stored(bytes).path, join(folder, 'work'), cleaning);
}

function drawn(css: string): Buffer {
  const context = createCanvas(400, 60).getContext('2d');
  context.font = css;
  context.fillText('AVATAR fi Ünï 123', 4, 44);
  return context.canvas.data();
}

describe.skipIf(found === '')('a font of strangers', () => {
  test.each(['woff2', 'woff', 'ttf'])('as %s is written anew and draws as before', async (kind) => {
    const bytes = kind === 'ttf' ? await clean(readFileSync(inter)) : readFileSync(inter.replace(/woff2$/, kind));
    const cleaned = await clean(bytes);
    expect([0x00010000, 0x4f54544f]).toContain(cleaned.readUInt32BE(0));
    expect(readdirSync(join(folder, 'work'))).toEqual([]);

    const url = 'https://example.com/inter';
    const jobs = [createFontCatalogue({ cleaning }), createFontCatalogue()].map((catalogue) => catalogue.openJob(join(folder, 'work')));
    for (const job of jobs) await job.files.add(url, stored(bytes));
    const [cleanly = Buffer.alloc(0), asItCame] = jobs.map((job) =>
      drawn(job.resolve({ families: [url], weight: 400, style: 'normal', text: 'AVATAR fi', lang: 'en' }).css(40)),
    );
    expect(asItCame?.equals(cleanly)).toBe(true);
    expect(
      cleanly.equals(
        drawn(
          createFontCatalogue()
            .resolve({ families: ['Anton'], weight: 400, style: 'normal', text: 'A', lang: 'en' })
            .css(40),
        ),
      ),
    ).toBe(false);
    for (const job of jobs) job.files.close();
  });

  test('that does not hold what it says is refused, or loses what is wrong with it', async () => {
    const whole = await clean(readFileSync(inter));
    let refused = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const { bytes } = mutate([whole], seed);
      const cleaned = await clean(bytes).catch((error: unknown) => error);
      if (cleaned instanceof UnusableFont) {
        refused += 1;
        expect(cleaned.message).toMatch(/^is a damaged font file/);
      } else if (Buffer.isBuffer(cleaned)) {
        // What has been cleaned is clean.
        expect(await clean(cleaned)).toBeInstanceOf(Buffer);
      } else throw cleaned;
    }
    expect(refused).toBeGreaterThan(10);
    expect(refused).toBeLessThan(60);
  });

  test('whose glyphs lie outside their table never reaches the drawing library', async () => {
    const bytes = await clean(readFileSync(inter));
    const at = tableAt(bytes, 'loca');
    bytes.fill(0xff, at.offset + 8, at.offset + at.length);
    const job = createFontCatalogue({ cleaning }).openJob(join(folder, 'work'));
    await expect(job.files.add('https://example.com/bad', stored(bytes))).rejects.toThrow(/damaged font file/);
    // The look at the tables alone lets it through.
    const unchecked = createFontCatalogue().openJob();
    await unchecked.files.add('https://example.com/bad', stored(bytes));
    unchecked.files.close();
  });
});

test('is not used at all where fonts must be checked and cannot be', async () => {
  const bytes = readFileSync(inter);
  const required = cleanFont(bytes, inter, folder, { program: undefined, mode: 'required' });
  await expect(required).rejects.toThrow(UnusableFont);
  await expect(cleanFont(bytes, inter, folder, { program: undefined, mode: 'auto' })).resolves.toBe(bytes);
});

function tableAt(font: Buffer, tag: string): { offset: number; length: number } {
  for (let at = 12; ; at += 16)
    if (font.toString('latin1', at, at + 4) === tag) return { offset: font.readUInt32BE(at + 8), length: font.readUInt32BE(at + 12) };
}
