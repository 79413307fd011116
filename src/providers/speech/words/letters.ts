/** What a text is compared by: letters and digits alone, without case, marks and width. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const dense = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A digit is read out as a word, a character of these scripts as a syllable. */
const DIGIT = 4;
const SYLLABLE = 2.5;
/** Short words take longer than their letters say. */
const WORD = 1.5;

/** About how long a word takes to say, in letters. */
export function weightOf(word: string): number {
  let weight = WORD;
  for (const letter of lettersOf(word)) weight += /\p{N}/u.test(letter) ? DIGIT : dense.test(letter) ? SYLLABLE : 1;
  return weight;
}
