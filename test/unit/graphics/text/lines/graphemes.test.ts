import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bidiLevels, paragraphLevel } from '../../../../../src/graphics/text/lines/bidi.js';
import { graphemesOf, isSimple } from '../../../../../src/graphics/text/lines/graphemes.js';
import { findWords } from '../../../../../src/graphics/text/lines/line-break.js';
import { guessLanguage, splitParagraphs } from '../../../../../src/graphics/text/prepare.js';

const everyUnit = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
const simpleOnes = everyUnit.filter(isSimple);
const simpleText = fc.array(fc.constantFrom(...simpleOnes), { maxLength: 60 }).map((units) => units.join(''));
/** With the signs that decide about breaks more often than chance would have them. */
const wording = fc
  .array(
    fc.oneof(
      fc.constantFrom(...' -/.,:;!?()[]{}$#%"\'\u2010\u2013\u2014\u00a0\u00ad\u2011\u202f'),
      fc.constantFrom(...'aZ5é9'),
      fc.constantFrom(...simpleOnes),
    ),
  )
  .map((parts) => parts.join(''));

/** The clusters as Unicode has them. */
const segmented = (text: string) => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment, index }) => ({ segment, index }));

describe('simple text', () => {
  test('is what the letters of most European languages are', () => {
    expect(isSimple('Grüße aus “Łódź” – 50 % für 3 €…')).toBe(true);
    for (const other of ['日本', 'עברית', 'e\u0301', 'a\u200db', '👍', 'a\r\nb', '\ud800']) expect(isSimple(other)).toBe(false);
  });

  test('has one cluster for every unit', () => {
    fc.assert(
      fc.property(simpleText, (text) => {
        expect([...graphemesOf(text, 'en')]).toEqual(segmented(text));
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([...graphemesOf(text, 'en')].map(({ segment, index }) => ({ segment, index }))).toEqual(segmented(text));
      }),
    );
  });

  test('says of itself what the tables of Unicode would', () => {
    const wrong = simpleOnes.filter(
      (unit) =>
        unit.normalize('NFC') !== unit ||
        /[\p{M}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Surrogate}]/u.test(
          unit,
        ) ||
        (/\p{Cc}/u.test(unit) && unit !== '\t' && unit !== '\n') ||
        /[\u2028\u2029\ufb00-\ufb06]/.test(unit),
    );
    expect(wrong).toEqual([]);
  });

  // A letter beyond the simple ones makes all of the text take the long way; standing alone behind a space it changes nothing before it.
  const far = ' \u0416';

  test('breaks where the same text breaks on the long way', () => {
    fc.assert(
      fc.property(wording, fc.constantFrom(undefined, 'break-all' as const, 'keep-all' as const), (text, wordBreak) => {
        const short = findWords(`${text}.`, 'en', wordBreak);
        const long = findWords(`${text}.${far}`, 'en', wordBreak);
        const end = text.length + 1;
        expect(short.breaks.filter((at) => at < end)).toEqual(long.breaks.filter((at) => at < end));
        expect([...short.wordOf]).toEqual([...long.wordOf.slice(0, end)]);
      }),
      { numRuns: 3000 },
    );
  });

  test('is prepared and ordered as on the long way', () => {
    fc.assert(
      fc.property(wording, (text) => {
        expect(guessLanguage(text)).toBe(guessLanguage(`${text}\u0416`));
        expect(splitParagraphs(text, 'none', 'en', true)[0] ?? '').toBe(splitParagraphs(`${text}\n\u0416`, 'none', 'en', true)[0] ?? '');
        expect(paragraphLevel(text)).toBe(0);
        expect(bidiLevels(text, 0)).toEqual(bidiLevels(`${text}${far}`, 0).slice(0, text.length));
      }),
    );
  });
});
