/**
 * Left-to-right Latin text in which every UTF-16 unit is a grapheme cluster. It needs no Unicode tables, which take longer to load
 * than a short text takes to draw.
 */
const simple = /^[\t\n\u0020-\u007e\u00a0-\u024f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2122]*$/;

/** Whether a text can be processed without Unicode tables. */
export function isSimple(text: string): boolean {
  return simple.test(text);
}

/** A grapheme cluster and its index in UTF-16 units. */
interface Grapheme {
  segment: string;
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
