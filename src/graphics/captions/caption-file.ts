import { findWords } from '../text/lines/line-break.js';
import { guessLanguage } from '../text/prepare.js';
import { type Cue, plainText } from './formats/cue.js';
import { assHeader, writeAssEvent } from './formats/write-ass.js';
import { cutPages, type Page } from './pages.js';
import { timeWords } from './word-timing.js';

/** Words in a line of captions made from speech: about as many as subtitling guidelines put into one. */
const WORDS_PER_LINE = 7;

/** Part of a movie that a caption file covers, in seconds. */
export interface CaptionRange {
  start: number;
  end: number;
}

/** Formats of caption files. */
export type CaptionFormat = 'srt' | 'vtt' | 'ass';

/** A page of captions, with times that count from the start of a file. */
interface ShownPage {
  page: Page;
  from: number;
  to: number;
}

/**
 * Writes cues (times in seconds of the movie) as SubRip, WebVTT or ASS, in the order of their starts. Speech with word times is cut into lines;
 * captions of a file keep their lines. Times count from the start of the range; what lies outside is left out. `canvas`: the frame that ASS
 * captions are laid out on.
 */
export function formatCaptions(cues: readonly Cue[], format: CaptionFormat, range: CaptionRange, canvas = { width: 1920, height: 1080 }): string {
  const shown = shownPages(cues, range);
  if (format !== 'ass') return formatBlocks(shown, format);
  return [assHeader(canvas), ...shown.map(({ page, from, to }) => writeAssEvent(page, from, to))].join('\n').concat('\n');
}

function shownPages(cues: readonly Cue[], { start, end }: CaptionRange): ShownPage[] {
  const language = guessLanguage(cues.map(plainText).join('\n'));
  const pages = cues.flatMap((cue) => {
    const timed = timeWords(cue, language, findWords);
    return timed.hasWordTimes ? cutPages([timed], 'classic', WORDS_PER_LINE) : [{ start: cue.start, end: cue.end, words: timed.words, highlights: false }];
  });
  return pages
    .map((page) => ({ page, from: Math.max(page.start, start) - start, to: Math.min(page.end, end) - start }))
    .filter(({ page, from, to }) => page.words.some(({ text }) => text !== '') && Math.round(to * 1000) > Math.round(from * 1000))
    .sort((a, b) => a.from - b.from);
}

function formatBlocks(shown: readonly ShownPage[], format: 'srt' | 'vtt'): string {
  const separator = format === 'srt' ? ',' : '.';
  const blocks = shown.map(({ page, from, to }, index) => {
    const times = `${timestamp(from, separator)} --> ${timestamp(to, separator)}`;
    return `${format === 'srt' ? `${index + 1}\n` : ''}${times}\n${textOf(page, format)}\n`;
  });
  // A file without captions is not empty, because an empty file counts as missing.
  return format === 'srt' ? blocks.join('\n') || '\n' : ['WEBVTT\n', ...blocks].join('\n');
}

function textOf({ words }: Page, format: 'srt' | 'vtt'): string {
  const styled = words.map(({ text, style, glued, breakBefore }, index) => {
    const tags = [style.bold && 'b', style.italic && 'i', style.underline && 'u'].filter((tag) => typeof tag === 'string');
    const escaped = format === 'vtt' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
    const before = index === 0 ? '' : breakBefore ? '\n' : glued ? '' : ' ';
    return `${before}${tags.map((tag) => `<${tag}>`).join('')}${escaped}${tags
      .map((tag) => `</${tag}>`)
      .reverse()
      .join('')}`;
  });
  // One tag around several words.
  return styled.join('').replaceAll(/<\/([biu])>(\s?)<\1>/g, '$2');
}

function timestamp(seconds: number, separator: ',' | '.'): string {
  const ms = Math.round(seconds * 1000);
  const pad = (value: number, digits = 2): string => String(Math.floor(value)).padStart(digits, '0');
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}${separator}${pad(ms % 1000, 3)}`;
}
