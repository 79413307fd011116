import { describe, expect, test } from 'vitest';
import { placePages, trimOverlaps } from '../../../../src/graphics/captions/page-placement.js';
import { cutPages } from '../../../../src/graphics/captions/pages.js';
import { schedulePage } from '../../../../src/graphics/captions/schedule.js';
import { timeWords } from '../../../../src/graphics/captions/word-timing.js';
import { applyWording } from '../../../../src/graphics/captions/wording.js';
import type { Cue } from '../../../../src/graphics/index.js';
import { findWords, parseCaptions, spokenCue } from '../../../../src/graphics/index.js';
import type { SubtitleStyle } from '../../../../src/script/index.js';
import { makeSubtitleLook } from '../../../support/subtitles.js';

const speak = (text: string, step = 0.5) =>
  spokenCue(
    text.split(' ').map((word, i) => ({ text: word, start: i * step, end: i * step + step * 0.9 })),
    0,
  ) as Cue;
const pagesOf = (cue: Cue, style: SubtitleStyle = 'classic', maxWords = 4) => cutPages([timeWords(cue, 'en', findWords)], style, maxWords);
const textOf = ({ words }: { words: ReadonlyArray<{ text: string }> }) => words.map(({ text }) => text).join(' ');
const srt = (text: string) => parseCaptions(`1\n00:00:00,000 --> 00:00:04,000\n${text}`)[0] as Cue;

test('one word on a line is one word on the screen', () => {
  expect(pagesOf(srt('one two three'), 'boxed-word', 1).map(textOf)).toEqual(['one', 'two', 'three']);
  expect(pagesOf(srt('one two three four five'), 'classic', 2).map(textOf)).toHaveLength(2);
});

describe('what is spoken', () => {
  test('is cut into even lines, at sentences first', () => {
    expect(pagesOf(speak('The quick brown fox jumps over. Then it sleeps')).map(textOf)).toEqual(['The quick brown', 'fox jumps over.', 'Then it sleeps']);
  });

  test('has no line of a single word that fits elsewhere', () => {
    expect(pagesOf(speak('one two three four five')).map(textOf)).toEqual(['one two three', 'four five']);
  });

  test('is cut after a comma when that is as even', () => {
    expect(pagesOf(speak('one two, three four five six'), 'classic', 4).map(textOf)).toEqual(['one two,', 'three four five six']);
  });

  test('follows without a gap, and goes when the speaker pauses', () => {
    const cue = spokenCue(
      [
        { text: 'one', start: 0, end: 0.5 },
        { text: 'two', start: 0.8, end: 1 },
        { text: 'three', start: 4, end: 4.5 },
      ],
      10,
    ) as Cue;
    expect(pagesOf(cue).map(({ start, end }) => [start, end])).toEqual([
      [10, 11.4],
      [14, 14.9],
    ]);
  });
});

describe('captions without word times', () => {
  test('are shown two lines at a time, for shares of the cue by length', () => {
    const pages = pagesOf(srt('a b c d e f g h i j k l m n o p'));
    expect(pages.map(textOf)).toEqual(['a b c d e f g h', 'i j k l m n o p']);
    expect(pages[0]?.start).toBe(0);
    expect(pages[1]?.start).toBe(pages[0]?.end);
    expect(pages[1]?.end).toBe(4);
    expect(pages[0]?.end).toBeCloseTo(2, 0);
    expect(pages.map(({ highlights }) => highlights)).toEqual([false, false]);
  });

  test('light up in styles that are nothing without it', () => {
    expect(pagesOf(srt('one two'), 'boxed-word')[0]?.highlights).toBe(true);
    expect(pagesOf(srt('one two three'), 'classic-one-word').map(textOf)).toEqual(['one', 'two', 'three']);
  });
});

describe('words', () => {
  test('are made of syllables, and keep the style of their letters', () => {
    const [cue] = parseCaptions('[Events]\nDialogue: 0,0:00:00.00,0:00:02.00,x,,0,0,0,,{\\k50}Ka{\\k50}ra{\\k50\\i1}oke {\\k50}bar');
    const { words } = timeWords(cue as Cue, 'en', findWords);
    expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['Karaoke', 0, 1.5],
      ['bar', 1.5, 2],
    ]);
  });

  test('of scripts without spaces are told by a dictionary', () => {
    const { words } = timeWords(srt('字幕は美しい。次'), 'ja', findWords);
    expect(words.map(({ text }) => text).join('|')).toBe('字幕|は|美しい。|次');
    expect(words.map(({ glued }) => glued)).toEqual([false, true, true, true]);
  });

  test('take in the marks that stand alone', () => {
    const { words } = timeWords(srt('- Well … no !\n— Yes 🎉'), 'en', findWords);
    expect(words.map(({ text }) => text)).toEqual(['- Well …', 'no !', '— Yes', '🎉']);
    expect(words.map(({ breakBefore }) => breakBefore)).toEqual([true, false, true, false]);
  });

  test('are replaced whatever their case, phrases first, punctuation kept', () => {
    const cue = timeWords(srt('Hello, Json two video! JSON'), 'en', findWords);
    const { words } = applyWording(cue, { replace: { json: 'J', 'json two video': 'Frame Wright', hello: 'Bye' }, allCaps: false, lang: 'en' });
    expect(words.map(({ text }) => text)).toEqual(['Bye,', 'Frame', 'Wright!', 'J']);
    expect(words[1]?.end).toBe(words[2]?.start);
  });

  test('go away when they are replaced by nothing, and are set in capitals of their language', () => {
    const cue = timeWords(srt('uh iyi straße'), 'tr', findWords);
    expect(applyWording(cue, { replace: { uh: '' }, allCaps: true, lang: 'tr' }).words.map(({ text }) => text)).toEqual(['İYİ', 'STRASSE']);
  });
});

describe('frames', () => {
  test('of neighbouring pages and words meet', () => {
    const pages = pagesOf(speak('one two three four five', 0.31));
    const plans = pages.map((page) => schedulePage(page, 'classic', 30, 300));
    for (const [i, plan] of plans.entries()) {
      expect(plan?.shown.end).toBe(plans[i + 1]?.shown.start ?? plan?.shown.end);
      for (const [k, { lit }] of (plan?.words ?? []).entries()) expect(lit?.end).toBe(plan?.words[k + 1]?.lit?.start ?? plan?.shown.end);
    }
  });

  test('outside the element are none', () => {
    const [page] = pagesOf(speak('one'));
    expect(page && schedulePage(page, 'classic', 30, 0)).toBeUndefined();
  });
});

describe('places', () => {
  const canvas = { width: 1000, height: 500 };
  const page = { start: 0, end: 1, width: 200, height: 60 };
  const place = (look: Parameters<typeof makeSubtitleLook>[0], pages = [page]) => placePages(pages, makeSubtitleLook(look), canvas, { x: 0, y: 0 });

  test.each([
    ['bottom-center', { x: 400, y: 416 }],
    ['top-left', { x: 50, y: 26 }],
    ['center-right', { x: 750, y: 220 }],
    ['mid-top-center', { x: 400, y: 96 }],
    ['mid-bottom-center', { x: 400, y: 346 }],
  ] as const)('%s', (position, expected) => {
    const [at] = place({ position });
    expect(Math.abs((at?.x ?? 0) - expected.x)).toBeLessThanOrEqual(1);
    expect(Math.abs((at?.y ?? 0) - expected.y)).toBeLessThanOrEqual(1);
  });

  test("of one's own are the middle of the block, which stays on the canvas", () => {
    expect(place({ position: 'custom', x: 500, y: 250 })).toEqual([{ x: 400, y: 220 }]);
    expect(place({ position: 'custom', x: 0, y: 0 })).toEqual([{ x: 0, y: 0 }]);
  });

  test('of pages at the same time are above each other', () => {
    const [first, second, third] = place({}, [page, { ...page, start: 0.5, end: 2 }, { ...page, start: 1.5, end: 3 }]);
    expect(second?.y).toBe((first?.y ?? 0) - 60);
    expect(third).toEqual(first);
  });

  test('are not shared by pages that only slip into each other', () => {
    const pages = trimOverlaps([
      { start: 0, end: 1.1, words: [], highlights: false },
      { start: 1, end: 2, words: [], highlights: false },
    ]);
    expect(pages[0]?.end).toBe(1);
  });

  test('of one voice go when the next voice speaks', () => {
    const second = spokenCue([{ text: 'three', start: 0.02, end: 0.5 }], 0.95) as Cue;
    const both = (cue: Cue) => trimOverlaps([...pagesOf(speak('one two')), ...pagesOf(cue)]);
    expect(both(second).map(({ start, end }) => [start, end])).toEqual([
      [0, 0.97],
      [0.97, 1.85],
    ]);
    // Two who speak at the same time are both read.
    expect(both(spokenCue([{ text: 'three', start: 0.4, end: 1 }], 0) as Cue)[0]?.end).toBeCloseTo(1.35);
  });
});
