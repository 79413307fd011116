/** Inline style of a span. */
export interface WordStyle {
  bold?: true;
  italic?: true;
  underline?: true;
  /** Spoken louder than the others. */
  loud?: true;
  /** Name of who speaks. */
  speaker?: string;
}

/** A part of a caption's text with one style; `\n` is a line break in the file. */
export interface Span {
  text: string;
  style: WordStyle;
  /** Time at which it is spoken, in seconds; absent if the file has no word times. */
  start?: number;
  end?: number;
}

/** One entry of a caption file, shown from `start` to `end` in seconds. */
export interface Cue {
  start: number;
  end: number;
  spans: Span[];
  /** Of its text, as a BCP 47 tag; absent: unknown. */
  language?: string;
}

/** Limits on caption files, above those of any real movie; content beyond them is ignored. */
export const captionLimits = { bytes: 1024 * 1024, cues: 20_000, cueLength: 2000, spans: 1000, seconds: 86_400, speakerLength: 100 };

/** The text of a cue without styles. */
export function plainText(cue: Cue): string {
  return cue.spans.map(({ text }) => text).join('');
}
