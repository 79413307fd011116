import { describe, expect, test } from 'vitest';
import { findWords } from '../../../../src/graphics/text/line-break.js';
import { guessLanguage, splitParagraphs } from '../../../../src/graphics/text/prepare.js';

function lines(text: string): string[] {
  const { breaks } = findWords(text, guessLanguage(text));
  return breaks.map((end, i) => text.slice(breaks[i - 1] ?? 0, end));
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
    ['and/or http://a.b', ['and/', 'or ', 'http://a.b']],
    ['vow—never', ['vow', '—', 'never']],
    ['10\u00a0km far', ['10\u00a0km ', 'far']],
    ['日本語、です。', ['日', '本', '語、', 'で', 'す。']],
    ['「引用」と', ['「引', '用」', 'と']],
    ['ラーメン', ['ラー', 'メ', 'ン']],
    ['ภาษาไทยดี', ['ภาษา', 'ไทย', 'ดี']],
    ['(a) $5', ['(a) ', '$5']],
    ['x\u200by', ['x\u200b', 'y']],
  ])('%j may break into %j', (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });

  test('never splits a grapheme cluster', () => {
    expect(lines('👨‍👩‍👧🇩🇪e\u0301')).toEqual(['👨‍👩‍👧🇩🇪e\u0301']);
  });
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
