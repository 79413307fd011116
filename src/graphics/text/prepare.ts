import type { Typography } from '../../script/index.js';
import type { FontCatalogue } from '../fonts/index.js';
import { findUndrawable } from '../fonts/index.js';
import { isSimple } from './lines/graphemes.js';
import { hasDictionary, hyphenate, hyphenatedLanguages } from './lines/hyphenation.js';
import type { TextPlan } from './place-text.js';
import { faceOf, remainingUnits, type TextLooks } from './spans.js';

/** Guesses the language for shaping and line breaking from the scripts in a text. */
export function guessLanguage(text: string): string {
  if (isSimple(text)) return 'en';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  if (/\p{Script=Han}/u.test(text)) return 'zh-Hans';
  if (/\p{Script=Thai}/u.test(text)) return 'th';
  return 'en';
}

function capitalize(text: string, lang: string): string {
  let out = '';
  for (const { segment, isWordLike } of new Intl.Segmenter(lang, { granularity: 'word' }).segment(text)) {
    const first = isWordLike ? (segment.match(/^\P{L}*\p{L}\p{M}*/u)?.[0] ?? '') : '';
    out += first.toLocaleUpperCase(lang) + segment.slice(first.length);
  }
  return out;
}

/** Applies `text-transform`. */
export function applyCase(text: string, transform: Typography['textTransform'], lang: string): string {
  if (transform === 'uppercase') return text.toLocaleUpperCase(lang);
  if (transform === 'lowercase') return text.toLocaleLowerCase(lang);
  return transform === 'capitalize' ? capitalize(text, lang) : text;
}

function normalizeText(text: string): string {
  // Simple text is already normalized.
  if (isSimple(text)) return text;
  return (
    text
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu, '')
      // Fonts form ligatures from letters and usually lack these characters.
      .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
      .normalize('NFC')
  );
}

/**
 * Splits a text into paragraphs like CSS `white-space: pre-line`: newlines break, other white space collapses; with `keepsSpaces`
 * like `pre`. Removes control characters, which fonts draw as boxes, and lone surrogates.
 */
export function splitParagraphs(text: string, transform: Typography['textTransform'], lang: string, keepsSpaces = false): string[] {
  const paragraphs = applyCase(normalizeText(text), transform, lang)
    .split('\n')
    .map((line) => (keepsSpaces ? expandTabs(line) : line.replace(/[ \t]+/g, ' ').trim()));
  if (paragraphs.length > 1 && paragraphs.at(-1) === '') paragraphs.pop();
  return paragraphs;
}

const tabSize = 8;

function expandTabs(line: string): string {
  let out = '';
  for (const letter of line) out += letter === '\t' ? ' '.repeat(tabSize - (out.length % tabSize)) : letter;
  return out;
}

interface TextRequest {
  paragraphs: readonly string[];
  typography: Typography;
  lang: string;
  /** The element's path, for errors. */
  path: string;
  /** As in FontRequest. */
  acceptsOtherWeight?: boolean;
  /** Looks of parts. */
  looks?: TextLooks;
}

/** Resolves the fonts of a text. Characters without a glyph are removed with a warning. */
export function planText(request: TextRequest, fonts: FontCatalogue): TextPlan & { warnings: string[] } {
  const { paragraphs: given, typography, lang, path, acceptsOtherWeight = false, looks } = request;
  const { paragraphs: whole, warnings: unbroken } = hyphenateParagraphs(given, typography);
  const text = whole.join('\n');
  const { fontFamilies: families, fontWeight: weight, fontStyle: style } = typography;
  const font = fonts.resolve({ families, weight, style, text, lang, acceptsOtherWeight });
  const missing = findUndrawable(text, font, lang);
  const paragraphs = missing.length === 0 ? [...whole] : whole.map((paragraph) => dropGraphemes(paragraph, new Set(missing), lang, typography.keepSpaces));
  const warnings = [...unbroken, ...font.warnings];
  if (missing.length > 0) warnings.push(`no installed font can draw ${listCharacters(missing)}; these characters are omitted`);
  const brush = { typography, font, lang, ascent: 0, path };
  if (looks !== undefined && looks.looks.length > 0) {
    const units = looks.units.map((own, i) => remainingUnits(given[i] ?? '', paragraphs[i] ?? '', own));
    return planLooks({ brush, paragraphs, warnings }, { ...looks, units }, fonts);
  }
  const { fallback } = font;
  if (fallback === undefined) return { brush, paragraphs, warnings };
  const faces = paragraphs.map((paragraph) => facesOf(paragraph, fallback.isFor));
  return { brush: { ...brush, faces: [undefined, fallback.font] }, paragraphs, faces, warnings };
}

/** Inserts soft hyphens where `hyphens` is auto, and removes them where it is none. */
function hyphenateParagraphs(paragraphs: readonly string[], { hyphens, lang, noWrap }: Typography): { paragraphs: readonly string[]; warnings: string[] } {
  if (hyphens === 'none') return { paragraphs: paragraphs.map((paragraph) => paragraph.replaceAll('\u00ad', '')), warnings: [] };
  if (hyphens === undefined || noWrap === true) return { paragraphs, warnings: [] };
  if (lang !== undefined && hasDictionary(lang)) return { paragraphs: paragraphs.map((paragraph) => hyphenate(paragraph, lang)), warnings: [] };
  const reason = lang === undefined ? 'needs lang, the language of the text' : `has no dictionary for lang ${JSON.stringify(lang)}`;
  return {
    paragraphs,
    warnings: [`hyphens: auto ${reason}; words are broken at soft hyphens alone. There are dictionaries for ${hyphenatedLanguages.join(', ')}`],
  };
}

/** Resolves the fonts of parts with a look of their own. */
function planLooks(plan: TextPlan & { warnings: string[] }, { looks, units }: TextLooks, fonts: FontCatalogue): TextPlan & { warnings: string[] } {
  const { brush, paragraphs } = plan;
  const { fontFamilies, fontWeight, fontStyle } = brush.typography;
  const text = paragraphs.join('\n');
  const resolved = looks.map(({ fontFamilies: own = [], fontWeight: weight = fontWeight, fontStyle: style = fontStyle }) =>
    own.length === 0 && weight === fontWeight && style === fontStyle
      ? brush.font
      : fonts.resolve({ families: [...own, ...fontFamilies], weight, style, text, lang: brush.lang }),
  );
  const all = [brush.font, ...resolved];
  const faces = all.flatMap((font) => [font, font.fallback?.font]);
  const names = faces.map((font, face) => {
    const { scale = 1, letterSpacingEm = '' } = looks[(face >> 1) - 1] ?? {};
    return `${font?.css(100 * scale) ?? ''} ${letterSpacingEm}`;
  });
  return {
    brush: { ...brush, faces, looks },
    paragraphs,
    faces: paragraphs.map((paragraph, i) => {
      const own = units[i] as Uint8Array;
      const fallbacks = all.map(({ fallback }) => (fallback === undefined ? undefined : facesOf(paragraph, fallback.isFor)));
      return own.map((look, at) => faceOf(look, fallbacks[look]?.[at] === 1));
    }),
    shapes: names.map((name) => names.indexOf(name)),
    warnings: [...new Set([...plan.warnings, ...resolved.flatMap(({ warnings }) => warnings)])],
  };
}

/** Face 1 for characters of the fallback font, with the marks and joiners after them; 0 for others. */
function facesOf(text: string, isFallback: (code: number) => boolean): Uint8Array {
  let face = 0;
  const faces = [...text].flatMap((character) => {
    if (!/^[\p{M}\p{Cf}\p{Emoji_Modifier}]/u.test(character)) face = isFallback(character.codePointAt(0) ?? 0) ? 1 : 0;
    return Array<number>(character.length).fill(face);
  });
  return Uint8Array.from(faces);
}

/** Removes grapheme clusters from a text. */
export function dropGraphemes(text: string, dropped: ReadonlySet<string>, lang: string, keepsSpaces = false): string {
  const remaining = [...new Intl.Segmenter(lang, { granularity: 'grapheme' }).segment(text)]
    .map(({ segment }) => segment)
    .filter((segment) => !dropped.has(segment))
    .join('');
  return keepsSpaces ? remaining : remaining.replace(/ {2,}/g, ' ').trim();
}

/** Lists characters with their code points, for a message. */
export function listCharacters(characters: readonly string[]): string {
  const named = characters.slice(0, 8).map((character) => {
    const codes = [...character].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    return `${character} (${codes.join(' ')})`;
  });
  return characters.length > named.length ? `${named.join(', ')} and ${characters.length - named.length} more` : named.join(', ');
}
