import { expect, it } from 'vitest';
import { type Cue, formatCaptions, parseCaptions, spokenCue } from '../../../../src/graphics/index.js';

const words = 'The quick brown fox jumps over the lazy dog. Then it sleeps until the sun is up'.split(' ');
const spoken = spokenCue(
  words.map((text, index) => ({ text, start: index * 0.5, end: index * 0.5 + 0.4 })),
  10,
) as Cue;

it('cuts speech into lines of a few words at its own times', () => {
  expect(formatCaptions([spoken], 'srt', { start: 0, end: 60 })).toBe(
    [
      '1\n00:00:10,000 --> 00:00:12,500\nThe quick brown fox jumps\n',
      '2\n00:00:12,500 --> 00:00:14,500\nover the lazy dog.\n',
      '3\n00:00:14,500 --> 00:00:16,500\nThen it sleeps until\n',
      '4\n00:00:16,500 --> 00:00:18,800\nthe sun is up\n',
    ].join('\n'),
  );
});

it('keeps lines and styles of captions, in both formats', () => {
  const cues = parseCaptions('1\n00:00:01,000 --> 00:00:02,000\n<b>Fish & chips</b> for <i>2</i>\nand peas\n');
  expect(formatCaptions(cues, 'srt', { start: 0, end: 9 })).toBe('1\n00:00:01,000 --> 00:00:02,000\n<b>Fish & chips</b> for <i>2</i>\nand peas\n');
  expect(formatCaptions(cues, 'vtt', { start: 0, end: 9 })).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<b>Fish &amp; chips</b> for <i>2</i>\nand peas\n');
  // What is written is read as the same captions.
  expect(parseCaptions(formatCaptions(cues, 'vtt', { start: 0, end: 9 }))).toEqual(cues);
});

it('keeps what a range shows, and is never empty', () => {
  expect(formatCaptions([spoken], 'vtt', { start: 16, end: 17 })).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nThen it sleeps until\n\n00:00:00.500 --> 00:00:01.000\nthe sun is up\n',
  );
  expect(formatCaptions([], 'srt', { start: 0, end: 1 })).toBe('\n');
  expect(formatCaptions([spoken], 'vtt', { start: 30, end: 60 })).toBe('WEBVTT\n');
});
