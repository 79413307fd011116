import type { Typography } from '../../script/index.js';
import { isSimple } from './graphemes.js';

/** The language that shapes and breaks a text when nobody names one: tells Japanese, Korean and Chinese apart. */
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

export function applyCase(text: string, transform: Typography['textTransform'], lang: string): string {
  if (transform === 'uppercase') return text.toLocaleUpperCase(lang);
  if (transform === 'lowercase') return text.toLocaleLowerCase(lang);
  return transform === 'capitalize' ? capitalize(text, lang) : text;
}

function cleaned(text: string): string {
  // Of what is cleaned away such text has nothing, and it is composed already.
  if (isSimple(text)) return text;
  return (
    text
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu, '')
      // Most fonts draw ligatures by themselves, and lack these.
      .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
      .normalize('NFC')
  );
}

/**
 * The paragraphs of a text as CSS `white-space: pre-line` sees them: newlines break, other white space collapses.
 * With `keepsSpaces` as `pre` does. Control characters, which fonts draw as boxes, are dropped; so are lone surrogates.
 */
export function splitParagraphs(text: string, transform: Typography['textTransform'], lang: string, keepsSpaces = false): string[] {
  const paragraphs = applyCase(cleaned(text), transform, lang)
    .split('\n')
    .map((line) => (keepsSpaces ? withTabStops(line) : line.replace(/[ \t]+/g, ' ').trim()));
  if (paragraphs.length > 1 && paragraphs.at(-1) === '') paragraphs.pop();
  return paragraphs;
}

const tabSize = 8;

function withTabStops(line: string): string {
  let out = '';
  for (const letter of line) out += letter === '\t' ? ' '.repeat(tabSize - (out.length % tabSize)) : letter;
  return out;
}
