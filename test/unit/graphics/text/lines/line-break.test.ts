import { LineBreaker } from 'css-line-break';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findWords } from '../../../../../src/graphics/text/lines/line-break.js';
import { guessLanguage, splitParagraphs } from '../../../../../src/graphics/text/prepare.js';
import { hasUnicodeData, readUnicodeLines } from '../../../../support/unicode-cases.js';

function lines(text: string, wordBreak?: 'break-all' | 'keep-all'): string[] {
  const { breaks } = findWords(text, guessLanguage(text), wordBreak);
  return breaks.map((end, i) => text.slice(breaks[i - 1] ?? 0, end));
}

/** Text that is broken otherwise on purpose: Korean between words, South East Asian text by its dictionary, white space never before white space. */
function isTailored(text: string): boolean {
  return /\p{Script=Hangul}|\p{Script=Thai}|[\s\u0085\u200b\ufffc]\p{M}*[ \t\u3000]/u.test(text);
}

function words(text: string): string[] {
  const { wordOf, wordCount } = findWords(text, guessLanguage(text));
  return Array.from({ length: wordCount }, (_, word) =>
    text
      .split('')
      .filter((_unit, i) => wordOf[i] === word)
      .join('')
      .trim(),
  );
}

describe('line breaks', () => {
  test.each([
    ['one two', ['one ', 'two']],
    ['well-known fact', ['well-', 'known ', 'fact']],
    ['minus -5 and 2-3', ['minus ', '-5 ', 'and ', '2-3']],
    ['and/or http://a.b', ['and/', 'or ', 'http://', 'a.b']],
    ['wait!now ?! (so) …he', ['wait!', 'now ?! ', '(so) ', '…', 'he']],
    ['50 % of €5, 3.5-4', ['50 ', '% ', 'of ', '€5, ', '3.5-4']],
    ['C’est « bon » !', ['C’est ', '« ', 'bon ', '» !']],
    ['vow—never', ['vow', '—', 'never']],
    ['10\u00a0km far', ['10\u00a0km ', 'far']],
    ['日本語、です。', ['日', '本', '語、', 'で', 'す。']],
    ['「引用」と', ['「引', '用」', 'と']],
    ['ラーメン', ['ラー', 'メ', 'ン']],
    ['ภาษาไทยดี', ['ภาษา', 'ไทย', 'ดี']],
    ['ភាសាខ្មែរល្អ', ['ភាសាខ្មែរ', 'ល្អ']],
    ['한국어 문장, 2024년', ['한국어 ', '문장, ', '2024년']],
    ['नमस्ते दुनिया', ['नमस्ते ', 'दुनिया']],
    ['(a) $5', ['(a) ', '$5']],
    ['x\u200by', ['x\u200b', 'y']],
  ])('%j may break into %j', (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });

  test.each([
    ['keep-all', '日本語です。東京 (x)', ['日本語です。', '東京 ', '(x)']],
    ['break-all', 'ab, cd', ['a', 'b, ', 'c', 'd']],
    ['break-all', '(ab) e\u0301f', ['(a', 'b) ', 'e\u0301', 'f']],
  ] as const)('with %s, %j may break into %j', (wordBreak, text, expected) => {
    expect(lines(text, wordBreak)).toEqual(expected);
  });

  test('never splits a grapheme cluster', () => {
    expect(lines('👨‍👩‍👧🇩🇪e\u0301👍🏽')).toEqual(['👨‍👩‍👧', '🇩🇪', 'e\u0301', '👍🏽']);
    const clusters = fc.array(
      fc.constantFrom('👨‍👩‍👧', '🇩🇪', 'e\u0301', '👍🏽', '1\ufe0f\u20e3', '각', '\u1112\u1161\u11ab', 'क्षि', 'กำ', 'a', '日', 'か\u3099'),
    );
    fc.assert(
      fc.property(clusters, (parts) => {
        const { breaks } = findWords(parts.join(''), 'en');
        const ends = new Set([...new Intl.Segmenter('en').segment(parts.join(''))].map(({ segment, index }) => index + segment.length));
        expect(breaks.filter((at) => at > 0 && !ends.has(at))).toEqual([]);
      }),
    );
  });

  test('in Latin text are those of the line breaking algorithm', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'É', '7', ' ', '.', ',', ':', ';', '!', '?', "'", '"', '(', ')', '-') }), (text) => {
        const breaker = LineBreaker(text, { lineBreak: 'strict' });
        const expected: number[] = [];
        for (let next = breaker.next(); !next.done; next = breaker.next()) expected.push((expected.at(-1) ?? 0) + next.value.slice().length);
        expect(findWords(text, 'en').breaks).toEqual(text === '' ? [0] : expected);
      }),
      { numRuns: 20_000 },
    );
  });

  test.runIf(hasUnicodeData)("are those of LineBreakTest, Unicode's 7,654 cases, but for Korean and white space", () => {
    const cases = readUnicodeLines('auxiliary/LineBreakTest.txt').map((line) => line.split(/\s+/));
    expect(cases.length).toBeGreaterThan(7600);
    const failures = cases.filter((parts) => {
      let text = '';
      const expected: number[] = [];
      for (const part of parts) {
        if (part === '÷' && text !== '') expected.push(text.length);
        else if (!/[×÷]/.test(part)) text += String.fromCodePoint(Number.parseInt(part, 16));
      }
      return !isTailored(text) && JSON.stringify(findWords(text, 'en').breaks) !== JSON.stringify(expected);
    });
    // Emoji that do not exist yet.
    expect(failures.map((parts) => parts.join(' '))).toEqual(['× 1F02C × 1F3FF ÷']);
  });

  test('of long texts are found in linear time', () => {
    for (const unit of ['1', '1,', '(', '日', 'a b-', '\u2067', 'ก', '"', '한', 'a\u0301']) {
      const start = performance.now();
      findWords(unit.repeat(20_000), 'en');
      expect(performance.now() - start, unit).toBeLessThan(5000);
    }
  }, 60_000);
});

describe('words', () => {
  test.each([
    ['Hello, big world!', ['Hello,', 'big', 'world!']],
    ['well-known “quoted words”', ['well-known', '“quoted', 'words”']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['「引用」です。', ['「引用」', 'です。']],
    ['wait — what 😀', ['wait', '—', 'what', '😀']],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

describe('paragraphs', () => {
  test('keep newlines, collapse other white space and drop control characters', () => {
    expect(splitParagraphs(' a\t b \r\n\n c\u0007\ud800d\n', 'none', 'en')).toEqual(['a b', '', 'cd']);
  });

  test.each([
    ['straße', 'uppercase', 'de', 'STRASSE'],
    ['istanbul', 'uppercase', 'tr', 'İSTANBUL'],
    ["o'neil ñandú «été»", 'capitalize', 'en', "O'neil Ñandú «Été»"],
    ['ΟΔΟΣ', 'lowercase', 'el', 'οδος'],
  ] as const)('%j in %s (%s) is %j', (text, transform, lang, expected) => {
    expect(splitParagraphs(text, transform, lang)).toEqual([expected]);
  });
});
