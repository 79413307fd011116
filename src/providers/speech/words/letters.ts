/** Normalizes a text for comparison: letters and digits only, without case, diacritics and width. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const dense = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Weight of a digit, which is spoken as a word, and of a character in syllabic scripts. */
const DIGIT = 4;
const SYLLABLE = 2.5;
/** Constant per word: short words take longer than their letters suggest. */
const WORD = 1.5;

/** Approximate spoken length of a word, in letters. */
export function weightOf(word: string): number {
  let weight = WORD;
  for (const letter of lettersOf(word)) weight += /\p{N}/u.test(letter) ? DIGIT : dense.test(letter) ? SYLLABLE : 1;
  return weight;
}
