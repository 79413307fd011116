import type { Problem } from '../../errors/index.js';
import type { Cue } from '../../graphics/index.js';
import type { SpokenWord } from '../../providers/speech/index.js';
import type { Movie, ResolvedDurations } from '../../script/index.js';
import type { MediaFile, PageFile, Piece } from '../../timeline/index.js';

/** Recognised words by file, language and keywords; shared by several subtitles. */
export type RecognitionResults = Map<string, Promise<SpokenWord[]>>;

/** A movie with resolved durations and media, ready to draw. */
export interface DrawRequest {
  movie: Movie;
  durations: ResolvedDurations;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
  /** Files and voices, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  /** Words of the voices with times in seconds from the start of each element; by element path. */
  words: ReadonlyMap<string, readonly SpokenWord[]>;
  /** Words of files that are transcribed already. */
  transcripts?: RecognitionResults;
}

/** Drawn pieces and pages, by element path. */
export interface DrawnElements {
  pieces: Map<string, Piece[]>;
  pages: Map<string, PageFile>;
  /** Captions of all subtitles elements, else what the voices say; in seconds of the movie. */
  captions: Cue[];
  /** Each with the path of its element. */
  warnings: Problem[];
}
