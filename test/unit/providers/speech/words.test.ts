import { describe, expect, it } from 'vitest';
import { alignWords } from '../../../../src/providers/speech/words/align-words.js';
import { estimateWords } from '../../../../src/providers/speech/words/estimate-words.js';
import { splitWords } from '../../../../src/providers/speech/words/split-words.js';

const texts = (text: string, language = 'en') => splitWords(text, language).map((word) => (word.joins ? `+${word.text}` : word.text));

describe('words as they are written', () => {
  it.each([
    ['Hello, big world!', ['Hello,', 'big', 'world!']],
    ['He said - well - "no".', ['He', 'said -', 'well -', '"no".']],
    ['— Yes', ['— Yes']],
    ['a 🎉 b', ['a', '🎉', 'b']],
    ['你好，世界！', ['你好，', '+世界！']],
    ['私は「東京」へ', ['私', '+は', '+「東京」', '+へ']],
    ['...', []],
  ])('%j', (text, words) => expect(texts(text, /\p{Script=Han}/u.test(text) ? (text.includes('は') ? 'ja' : 'zh') : 'en')).toEqual(words));
});

const timed = (...words: Array<[string, number, number]>) => words.map(([text, start, end]) => ({ text, start, end }));
const aligned = (text: string, heard: ReturnType<typeof timed>, total = 10) =>
  alignWords(splitWords(text, 'en'), heard, total).map(({ text: word, start, end }) => [word, Math.round(start * 100) / 100, Math.round(end * 100) / 100]);

describe('words as they are written get the times of words as they are heard', () => {
  it('one by one', () => {
    expect(aligned('Hello, world!', timed(['hello', 1, 2], ['world', 2, 3]))).toEqual([
      ['Hello,', 1, 2],
      ['world!', 2, 3],
    ]);
  });

  it('when the engine cuts a word in several', () => {
    expect(aligned('state-of-the-art one', timed(['state', 0, 1], ['of', 1, 2], ['the', 2, 3], ['art', 3, 4], ['one', 4, 5]))).toEqual([
      ['state-of-the-art', 0, 4],
      ['one', 4, 5],
    ]);
  });

  it('when it reads something else out, or leaves it out', () => {
    expect(
      aligned('I paid $25 to Tim', timed(['I', 0, 1], ['paid', 1, 2], ['twenty', 2, 3], ['five', 3, 4], ['dollars', 4, 5], ['to', 5, 6], ['Tim', 6, 7])),
    ).toEqual([
      ['I', 0, 1],
      ['paid', 1, 2],
      ['$25', 2, 5],
      ['to', 5, 6],
      ['Tim', 6, 7],
    ]);
  });

  it('when nothing was told, the time is shared out', () => {
    const words = aligned('one two', [], 4);
    expect(words.map(([, start, end]) => [start, end])).toEqual([
      [0, 2],
      [2, 4],
    ]);
  });
});

it('estimated words keep out of pauses', () => {
  const words = estimateWords(splitWords('Hello, my dear friends', 'en'), [
    { start: 0.1, end: 0.6 },
    { start: 1, end: 2.4 },
  ]);
  expect(words[0]).toMatchObject({ text: 'Hello,', start: 0.1, end: 0.6 });
  expect(words[1]?.start).toBe(1);
  expect(words.at(-1)?.end).toBeCloseTo(2.4);
});
