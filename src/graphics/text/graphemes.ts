/**
 * Text of which every UTF-16 unit is a grapheme cluster, in no script but Latin, and left to right: nothing of Unicode's tables has to be
 * asked about it. Loading those takes longer than all else that is done to a short text.
 */
const simple = /^[\t\n\u0020-\u007e\u00a0-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2122]*$/;

export function isSimple(text: string): boolean {
  return simple.test(text);
}

export interface Grapheme {
  segment: string;
  /** In UTF-16 units. */
  index: number;
}

const segmenters = new Map<string, Intl.Segmenter>();

/** The grapheme clusters of a text, in order. */
export function graphemesOf(text: string, lang: string): Iterable<Grapheme> {
  if (isSimple(text)) return Array.from({ length: text.length }, (_, index) => ({ segment: text.charAt(index), index }));
  const segmenter = segmenters.get(lang) ?? new Intl.Segmenter(lang, { granularity: 'grapheme' });
  segmenters.set(lang, segmenter);
  return segmenter.segment(text);
}
