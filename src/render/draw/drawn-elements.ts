import type { Problem } from '../../errors/index.js';
import type { SpokenWord } from '../../providers/speech/index.js';
import type { Movie, ResolvedDurations } from '../../script/index.js';
import type { MediaFile, PageFile, Piece } from '../../timeline/index.js';

export interface DrawRequest {
  movie: Movie;
  durations: ResolvedDurations;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
  /** Files and voices, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  /** What the voices say and when, in seconds from the start of each; by element path. */
  words: ReadonlyMap<string, readonly SpokenWord[]>;
}

/** What elements are drawn in, by element path. */
export interface DrawnElements {
  pieces: Map<string, Piece[]>;
  pages: Map<string, PageFile>;
  /** Each with the path of its element. */
  warnings: Problem[];
}
