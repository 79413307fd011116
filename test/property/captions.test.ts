import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutPages } from '../../src/graphics/captions/pages.js';
import { schedulePage } from '../../src/graphics/captions/schedule.js';
import { timeWords } from '../../src/graphics/captions/word-timing.js';
import { decodeText, findWords, parseCaptions } from '../../src/graphics/index.js';

/** Pieces that make up caption files, thrown together. */
const scrap = fc.oneof(
  fc.constantFrom('WEBVTT\n\n', '[Events]\n', 'Format: Start, End, Text\n', 'Dialogue: 0,0:00:01.00,0:00:02.00,x,,0,0,0,,', 'NOTE\n', '\n\n', '\n', '1\n'),
  fc.constantFrom(
    '{\\k50}',
    '{\\k',
    '{\\k999999999}',
    '}',
    '<i>',
    '</i>',
    '<b><b>',
    '<00:00:01.500>',
    '<',
    '>',
    '&amp;',
    '&#x110000;',
    '\\N',
    '{\\p1}',
    '-->',
    ' , ',
  ),
  fc
    .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
    .map(([a, b]) => `00:00:${String(a).padStart(2, '0')}.000 --> 00:00:${String(b).padStart(2, '0')}.500\n`),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('שלום עולם ', '字幕は美しい', 'สวัสดีครับ', '👩‍👩‍👧‍👦 ', 'a\u0301\u0302'),
);
const file = fc.array(scrap, { maxLength: 40 }).map((parts) => parts.join(''));

describe('any caption file', () => {
  test('is parsed into ordered cues whose words stay within their times', () => {
    fc.assert(
      fc.property(
        file,
        fc.constantFrom('classic', 'classic-progressive', 'classic-one-word', 'boxed-line', 'boxed-word'),
        fc.integer({ min: 1, max: 6 }),
        (text, style, maximum) => {
          const cues = parseCaptions(text);
          expect(cues.map(({ start }) => start)).toEqual(cues.map(({ start }) => start).sort((a, b) => a - b));
          for (const cue of cues) {
            const timed = timeWords(cue, 'en', findWords);
            for (const word of timed.words) {
              expect(word.text.trim()).toBe(word.text);
              expect(word.start).toBeGreaterThanOrEqual(cue.start - 1e-9);
              expect(word.end).toBeLessThanOrEqual(cue.end + 1e-9);
              expect(word.end).toBeGreaterThanOrEqual(word.start);
            }
            const pages = cutPages([timed], style, maximum);
            expect(pages.flatMap(({ words }) => words)).toEqual(timed.words);
            for (const page of pages) {
              for (const { shown, lit } of schedulePage(page, style, 30, 400)?.words ?? []) {
                expect(shown.start).toBeGreaterThanOrEqual(0);
                if (lit) expect(lit.end).toBeGreaterThan(lit.start);
              }
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('is decoded, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(Array.isArray(parseCaptions(decodeText(bytes)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['open tags', `1\n00:00:01,000 --> 00:00:02,000\n${'<a '.repeat(300_000)}`],
    ['open blocks', `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,x,,0,0,0,,${'{\\k1'.repeat(250_000)}`],
    ['nested tags', `1\n00:00:01,000 --> 00:00:02,000\n${'<b>'.repeat(300_000)}x`],
    ['lines without end', '\n'.repeat(1_000_000)],
    ['digits', '9'.repeat(1_000_000)],
    ['arrows', '1 --> '.repeat(160_000)],
    ['cues', '00:01.000 --> 00:02.000\nx\n\n'.repeat(40_000)],
    ['entities', `1\n00:00:01,000 --> 00:00:02,000\n${'&#'.repeat(400_000)}`],
  ])('as long as may be is read at once: %s', (_, text) => {
    const cues = parseCaptions(text);
    expect(cues.length).toBeLessThanOrEqual(20_000);
  });
});
