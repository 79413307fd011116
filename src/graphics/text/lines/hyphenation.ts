import { createRequire } from 'node:module';

type Hyphenate = (text: string) => string;

const softHyphen = '\u00ad';
/** As for `hyphens: auto` in browsers, but with three letters on the next line. */
const minWordLength = 5;
const minLettersBefore = 2;
const minLettersAfter = 3;

/** Dictionaries whose licences agree with the GPL, by language; see docs/decisions/0057-hyphenation.md. */
const dictionaries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['af', 'as', 'be', 'bg', 'bn', 'cs', 'da', 'es', 'et', 'eu', 'fr', 'fur', 'ga', 'gl', 'gu', 'hi', 'hr', 'hu', 'hy', 'it', 'ka', 'kn', 'la', 'lt', 'lv'].map(
      (name) => [name, name],
    ),
  ),
  ...Object.fromEntries(
    ['ml', 'mr', 'nb', 'nl', 'nn', 'no', 'oc', 'or', 'pa', 'pl', 'pms', 'pt', 'rm', 'sk', 'sl', 'sq', 'ta', 'te', 'tk', 'uk'].map((name) => [name, name]),
  ),
  de: 'de-1996',
  el: 'el-monoton',
  en: 'en-us',
  'en-gb': 'en-gb',
  fi: 'fi-x-school',
  mn: 'mn-cyrl',
};

/** Languages with a dictionary, for messages. */
export const hyphenatedLanguages: readonly string[] = Object.keys(dictionaries)
  .map((tag) => tag.replace('-gb', '-GB'))
  .sort();

/** Varieties of English that hyphenate as in Great Britain. */
const british = /^en-(?:au|ie|in|nz|za)$/;

/** The dictionary of a BCP 47 tag: that of the whole tag or of what precedes its last parts. */
function dictionaryOf(lang: string): string | undefined {
  const tag = lang.toLowerCase().replace(british, 'en-gb');
  const parts = tag.split('-');
  for (let count = parts.length; count > 0; count--) {
    const known = parts.slice(0, count).join('-');
    if (Object.hasOwn(dictionaries, known)) return dictionaries[known];
  }
  return undefined;
}

/** Whether words of a language can be hyphenated. */
export function hasDictionary(lang: string): boolean {
  return dictionaryOf(lang) !== undefined;
}

/** Tables of the library, and words with known hyphens. */
type Patterns = [levels: unknown, trie: unknown, words?: Record<string, unknown>];

const loaded = new Map<string, Patterns>();

/** Patterns of a dictionary, which are up to 1 MiB, loaded for the first text that needs them. */
function patternsOf(dictionary: string): Patterns {
  const patterns = loaded.get(dictionary) ?? (createRequire(import.meta.url)(`hyphen/patterns/${dictionary}.js`) as Patterns);
  loaded.set(dictionary, patterns);
  // The library adds every word of a text to the known ones.
  return patterns[2] === undefined ? patterns : [patterns[0], patterns[1], { ...patterns[2] }];
}

/** Words, without addresses, numbers and what already has hyphens. */
const candidates = /(?<![^\s\p{P}]|[@/\\.:_-]|\u00ad)[\p{L}\p{M}'’]+(?![^\s\p{P}]|[@/\\:_-]|\.\p{L}|\u00ad)/gu;

/** Inserts soft hyphens into the words of a text. The language must have a dictionary. */
export function hyphenate(text: string, lang: string): string {
  const createHyphenator = createRequire(import.meta.url)('hyphen') as (patterns: Patterns, options: object) => Hyphenate;
  // A hyphenator for each text, because it retains all words.
  const split = createHyphenator(patternsOf(dictionaryOf(lang) ?? ''), { async: false, html: false, hyphenChar: softHyphen, minWordLength });
  return text.replace(candidates, (word) => joinShortParts(split(word)));
}

/** Removes hyphens that leave too few letters on a line. */
function joinShortParts(word: string): string {
  const letters = (part: string) => part.match(/\p{L}/gu)?.length ?? 0;
  const parts = word.split(softHyphen);
  while (parts.length > 1 && letters(parts[0] as string) < minLettersBefore) parts.splice(0, 2, `${parts[0]}${parts[1]}`);
  while (parts.length > 1 && letters(parts.at(-1) as string) < minLettersAfter) parts.splice(-2, 2, `${parts.at(-2)}${parts.at(-1)}`);
  return parts.join(softHyphen);
}
