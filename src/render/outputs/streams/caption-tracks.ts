import type { Cue } from '../../../graphics/index.js';

/** Captions of one language in a stream. */
export interface CaptionTrack {
  /** Unique in the stream, e.g. `captions` or `captions-de`. */
  label: string;
  /** What players call it. */
  title: string;
  /** BCP 47 tag; absent: unknown. */
  language?: string;
  cues: readonly Cue[];
}

/** Divides the captions of a movie by their languages, in the order in which these begin. */
export function captionTracks(cues: readonly Cue[]): CaptionTrack[] {
  const languages = [...new Set(cues.map(({ language }) => language))];
  return languages.map((language) => ({
    label: language === undefined || languages.length === 1 ? 'captions' : `captions-${language.toLowerCase()}`,
    title: titleOf(language),
    ...(language !== undefined && { language }),
    cues: cues.filter((cue) => cue.language === language),
  }));
}

/** The language's name in English, or the tag where it has none. */
function titleOf(language: string | undefined): string {
  return language === undefined ? 'Captions' : (new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language);
}
