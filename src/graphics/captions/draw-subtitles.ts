import { movingStyles, type SubtitleLook } from '../../script/index.js';
import type { Piece } from '../../timeline/index.js';
import type { FontCatalogue } from '../fonts/index.js';
import { findWords } from '../text/lines/line-break.js';
import { guessLanguage } from '../text/prepare.js';
import type { CaptionLook, CaptionWord } from './caption.js';
import { boxPadding, captionPieces } from './caption-pieces.js';
import { drawCaptions, fitWords } from './draw-captions.js';
import { fontsOf } from './font-aliases.js';
import type { Cue } from './formats/cue.js';
import { plainText } from './formats/cue.js';
import type { Size } from './page-placement.js';
import { alignmentOf, maxLineWidth, placePages, trimOverlaps } from './page-placement.js';
import type { Page } from './pages.js';
import { cutPages } from './pages.js';
import type { PageSchedule } from './schedule.js';
import { schedulePage } from './schedule.js';
import { type TimedWord, timeWords } from './word-timing.js';
import { applyWording } from './wording.js';

/** Inputs of drawSubtitles(). */
export interface SubtitleRequest {
  /** The element's path, for errors. */
  path: string;
  /** Times in seconds from the element's start. */
  cues: readonly Cue[];
  look: SubtitleLook;
  /** BCP 47 tag of the text, or `auto` to guess it from the script. */
  language: string;
  canvas: Size;
  fps: { num: number; den: number };
  /** Number of frames for which the element is shown. */
  frames: number;
  signal?: AbortSignal;
}

/** Result of drawSubtitles(). */
export interface DrawnSubtitles {
  /** Back to front, positioned on the canvas. */
  pieces: Piece[];
  /** Without the element's path. */
  warnings: string[];
}

/** Word limit: each word becomes several pieces, and many pieces slow down every frame. */
const maxWordCount = 20_000;

/** Draws cues in the style of a subtitles element. */
export async function drawSubtitles(request: SubtitleRequest, sprites: { folder: string; fonts: FontCatalogue }): Promise<DrawnSubtitles> {
  const { canvas, path } = request;
  const language = languageOf(request.language, request.cues.map(plainText).join('\n'));
  const { pages, warnings } = planPages(request, language);
  const speakers = speakersOf(request);
  const spokenWords = pages.map(({ words }) => emphasized(spoken(words, speakers), request.look));
  const drawing = { path, lang: language, ...(request.signal === undefined ? {} : { signal: request.signal }), ...sprites };
  const { look } = request;
  const shown = captionLook(look, canvas);
  const captions = movingStyles.has(look.style) ? fitWords({ ...drawing, captions: spokenWords, look: shown }) : spokenWords;
  const padding = boxPadding(look);
  const drawn = await drawCaptions({ ...drawing, captions, look: shown });
  const blocks = pages.map((page, i) => ({ ...page, width: drawn.captions[i]?.width ?? 0, height: drawn.captions[i]?.height ?? 0 }));
  const places = placePages(blocks, look, canvas, padding);
  const fps = request.fps.num / request.fps.den;
  const pieces = pages.flatMap(({ schedule }, i) => {
    const [caption, place] = [drawn.captions[i], places[i]];
    return caption && place ? captionPieces(caption, place, { schedule, look, fps, words: captions[i] ?? [] }) : [];
  });
  return { pieces, warnings: [...warnings, ...drawn.warnings] };
}

function planPages(request: SubtitleRequest, lang: string): { pages: Array<Page & { schedule: PageSchedule }>; warnings: string[] } {
  const { look, frames } = request;
  const fps = request.fps.num / request.fps.den;
  const cues = request.cues.map((cue) => applyWording(timeWords(cue, lang, findWords), { ...look, lang }));
  const pages: Array<Page & { schedule: PageSchedule }> = [];
  let words = 0;
  for (const page of trimOverlaps(cutPages(cues, look.style, look.maxWordsPerLine))) {
    const schedule = schedulePage(page, look.style, fps, frames);
    if (schedule === undefined) continue;
    words += page.words.length;
    if (words > maxWordCount) return { pages, warnings: [`only the first ${maxWordCount} words of the captions are shown`] };
    pages.push({ ...page, schedule });
  }
  return { pages, warnings: [] };
}

/** Numbers of the speakers that have colours, in the order in which they first speak. */
function speakersOf({ cues, look }: SubtitleRequest): ReadonlyMap<string, number> {
  if (look.speakerColors.length === 0) return new Map();
  const names = cues.toSorted((a, b) => a.start - b.start).flatMap(({ spans }) => spans.flatMap(({ style }) => style.speaker ?? []));
  return new Map([...new Set(names)].map((name, index) => [name, index]));
}

function spoken(words: readonly TimedWord[], speakers: ReadonlyMap<string, number>): CaptionWord[] {
  return words.map((word) => {
    const { speaker: name, ...style } = word.style;
    const speaker = name === undefined ? undefined : speakers.get(name);
    return { ...word, style: speaker === undefined ? style : { ...style, speaker } };
  });
}

/** Letters from which on a word is emphasized. */
const LONG_WORD = 7;

/** The words of a page with those marked that the style emphasizes: keywords, loud words, and the longest long word. */
function emphasized(words: readonly CaptionWord[], { style, keywords }: SubtitleLook): CaptionWord[] {
  if (style !== 'emphasis') return [...words];
  const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const known = new Set(keywords.flatMap((keyword) => keyword.split(/\s+/).map(lettersOf)));
  const longest = words.reduce((length, { text }) => Math.max(length, [...lettersOf(text)].length), 0);
  return words.map((word) => {
    const letters = lettersOf(word.text);
    const isLong = longest >= LONG_WORD && [...letters].length === longest;
    return isLong || word.style.loud === true || known.has(letters) ? { ...word, style: { ...word.style, large: true } } : word;
  });
}

function captionLook(look: SubtitleLook, canvas: Size): CaptionLook {
  const padding = boxPadding(look);
  const { families, weight } = fontsOf(look);
  const { acceptsOtherWeight, fontSize, lineColor, speakerColors, wordColor, outline, shadow, maxWordsPerLine } = look;
  return {
    ...{ families, fontWeight: weight, acceptsOtherWeight, fontSize, lineColor, speakerColors, wordColor, shadow },
    outline: { ...outline, width: Math.max(0, outline.width) },
    // Additional space for the outlines of neighbouring words; the box of the spoken word lies over the gaps, which are the same in all styles.
    wordSpacing: movingStyles.has(look.style) ? Math.max(0, outline.width) + 0.05 * fontSize : Math.max(0, outline.width) * 0.5,
    align: alignmentOf(look),
    maxWidth: maxLineWidth(canvas, padding.x, look.sideMargin),
    maxWordsPerLine: look.style === 'stack' ? 1 : Math.max(1, maxWordsPerLine),
    ...(look.style === 'gradient' && { gradient: look.gradientColor }),
    hasLargeWords: look.style === 'emphasis',
  };
}

/** Language for word segmentation and capitals: the given one if valid, otherwise guessed from the text. */
function languageOf(asked: string, text: string): string {
  const guessed = guessLanguage(text.slice(0, 20_000));
  if (asked === '' || asked === 'auto') return guessed;
  try {
    const [canonical = guessed] = Intl.getCanonicalLocales(asked.replaceAll('_', '-'));
    return canonical;
  } catch {
    return guessed;
  }
}
