/** How a stretch of a caption is set, beside the look of the whole. */
export interface WordStyle {
  bold?: true;
  italic?: true;
  underline?: true;
}

/** A stretch of a caption's text with one style; `\n` is a line break of the author's. */
export interface Span {
  text: string;
  style: WordStyle;
  /** Seconds; when it is spoken, where the file says so. */
  start?: number;
  end?: number;
}

/** One entry of a caption file: what is read from `start` to `end`, in seconds. */
export interface Cue {
  start: number;
  end: number;
  spans: Span[];
}

/** More than a movie of some hours has; what goes beyond is left out. */
export const captionLimits = { bytes: 1024 * 1024, cues: 20_000, cueLength: 2000, spans: 1000, seconds: 86_400 };

export function plainText(cue: Cue): string {
  return cue.spans.map(({ text }) => text).join('');
}
