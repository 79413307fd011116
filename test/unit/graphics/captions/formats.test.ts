import { describe, expect, test } from 'vitest';
import type { Cue } from '../../../../src/graphics/index.js';
import { decodeText, parseCaptions } from '../../../../src/graphics/index.js';

const shown = (cues: readonly Cue[]) => cues.map(({ start, end, spans }) => [start, end, spans.map(({ text }) => text).join('')]);

describe('SubRip', () => {
  test('is read with its times, lines and tags', () => {
    const cues = parseCaptions(
      '1\r\n00:00:01,000 --> 00:00:02,500\r\nHello <i>dear</i> &amp; <b>bold</b>\r\nworld\r\n\r\n2\r\n00:01:00.250-->00:01:01,000\r\nNext <font color="red">one</font>\r\n',
    );
    expect(shown(cues)).toEqual([
      [1, 2.5, 'Hello dear & bold\nworld'],
      [60.25, 61, 'Next one'],
    ]);
    expect(cues[0]?.spans.map(({ style }) => style)).toEqual([{}, { italic: true }, {}, { bold: true }, {}]);
  });

  test('is read when blocks follow each other without an empty line, and out of order', () => {
    const cues = parseCaptions('2\n00:00:05,000 --> 00:00:06,000\nsecond\n1\n00:00:01,000 --> 00:00:02,000\nfirst {\\an8}line');
    expect(shown(cues)).toEqual([
      [1, 2, 'first line'],
      [5, 6, 'second'],
    ]);
  });

  test.each([
    ['an end before the start', '1\n00:00:02,000 --> 00:00:01,000\nno'],
    ['no text', '1\n00:00:01,000 --> 00:00:02,000\n\n'],
    ['words alone', 'just some words'],
    ['tags alone', '1\n00:00:01,000 --> 00:00:02,000\n<i></i>'],
  ])('without a caption gives none: %s', (_, text) => {
    expect(parseCaptions(text)).toEqual([]);
  });
});

describe('WebVTT', () => {
  test('is read with short times, settings, classes, notes and styles', () => {
    const cues = parseCaptions(
      'WEBVTT - title\n\nNOTE\n00:09.000 --> 00:10.000\nnot this\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start position:0%\n<v Anna><c.yellow>Hi</c> 3 < 4 > 2',
    );
    expect(shown(cues)).toEqual([[1, 2, 'Hi 3 < 4 > 2']]);
  });

  test('gives words their times', () => {
    const [cue] = parseCaptions('WEBVTT\n\n00:01.000 --> 00:04.000\nOne <00:00:02.000><c>two</c> <00:00:03.500>three');
    expect(cue?.spans.map(({ text, start, end }) => [text.trim(), start, end]).filter(([text]) => text !== '')).toEqual([
      ['One', 1, 2],
      ['two', 2, 3.5],
      ['three', 3.5, 4],
    ]);
  });
});

describe('speakers', () => {
  const speakersIn = (text: string) => parseCaptions(text).flatMap(({ spans }) => spans.map((span) => [span.text.trim(), span.style.speaker]));

  test('are the voices of WebVTT, until their end or that of the cue', () => {
    const text =
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud.first  Ada  Lovelace>Hi</v> all\n\n00:02.000 --> 00:03.000\n<v Tom &amp; Eve><b>Bye</b>\n\n00:03.000 --> 00:04.000\n<v>No name\n';
    expect(speakersIn(text)).toEqual([
      ['Hi', 'Ada Lovelace'],
      ['all', undefined],
      ['Bye', 'Tom & Eve'],
      ['No name', undefined],
    ]);
  });

  test('are the names of ASS lines', () => {
    const head = '[Events]\nFormat: Layer, Start, End, Style, Name, Text\n';
    const text = `${head}Dialogue: 0,0:00:01.00,0:00:02.00,x,Ada,Hi {\\i1}all\nDialogue: 0,0:00:03.00,0:00:04.00,x,,Bye`;
    expect(speakersIn(text)).toEqual([
      ['Hi', 'Ada'],
      ['all', 'Ada'],
      ['Bye', undefined],
    ]);
  });
});

describe('ASS', () => {
  const head =
    '[Script Info]\nTitle: x\n\n[V4+ Styles]\nFormat: Name, Fontname, Bold, Italic\nStyle: Strong,Arial,-1,0\n\n[Events]\nFormat: Layer, Start, End, Style, Text\n';

  test('is read with styles, overrides, line breaks and commas in the text', () => {
    const cues = parseCaptions(
      `${head}Dialogue: 0,0:00:01.00,0:00:02.50,Strong,A{\\i1}b{\\i0\\pos(3,4)\\blur4}, c\\Nd\\he{\\p1}m 0 0 l 5 5{\\p0}!\nComment: 0,0:00:03.00,0:00:04.00,Strong,never`,
    );
    expect(shown(cues)).toEqual([[1, 2.5, 'Ab, c\nd\u00a0e!']]);
    expect(cues[0]?.spans.map(({ style }) => style)).toEqual([{ bold: true }, { bold: true, italic: true }, { bold: true }, { bold: true }]);
  });

  test('gives syllables their times', () => {
    const [cue] = parseCaptions(`${head}Dialogue: 0,0:00:10.00,0:00:12.00,x,{\\k50}Ka{\\kf25}ra {\\k25}{\\ko100}oke`);
    expect(cue?.spans.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['Ka', 10, 10.5],
      ['ra ', 10.5, 10.75],
      ['oke', 11, 12],
    ]);
  });
});

describe('the bytes of a caption file', () => {
  const text = 'Grüße, Ÿ – ü';
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 LE without a mark', Buffer.from(text, 'utf16le')],
    ['Windows-1252', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x2c, 0x20, 0x9f, 0x20, 0x96, 0x20, 0xfc])],
  ])('in %s', (_, bytes) => {
    expect(decodeText(bytes)).toBe(text);
  });
});
