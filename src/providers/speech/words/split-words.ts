/** A written word with adjacent punctuation. */
export interface WrittenWord {
  text: string;
  joins: boolean;
}

const spoken = /[\p{L}\p{N}]/u;
/** Writing systems without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Splits a text into words; separate dashes and quotes belong to the previous word (at the start, to the next one). */
export function splitWords(text: string, language: string): WrittenWord[] {
  const words: WrittenWord[] = [];
  let opening = '';
  for (const token of text.split(/\s+/u).filter((one) => one !== '')) {
    if (!spoken.test(token) && !/\p{Extended_Pictographic}/u.test(token)) {
      const last = words.at(-1);
      if (last === undefined) opening += `${token} `;
      else last.text += ` ${token}`;
      continue;
    }
    const parts = unspaced.test(token) ? splitUnspaced(token, language) : [token];
    for (const [index, part] of parts.entries()) {
      words.push({ text: `${opening}${part}`, joins: index > 0 });
      opening = '';
    }
  }
  return words;
}

function splitUnspaced(token: string, language: string): string[] {
  const parts: string[] = [];
  let opening = '';
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(token)) {
    const opens = /^[\p{Ps}\p{Pi}]+$/u.test(segment);
    if (opens) opening += segment;
    else if (spoken.test(segment) || parts.length === 0) {
      parts.push(opening + segment);
      opening = '';
    } else parts[parts.length - 1] += segment;
  }
  if (opening !== '' && parts.length > 0) parts[parts.length - 1] += opening;
  return parts;
}
