import type { Movie, ResolvedDurations } from '../movie/index.js';
import type { PageFile, Piece } from '../timeline/index.js';

export interface DrawRequest {
  movie: Movie;
  durations: ResolvedDurations;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
}

/** What elements are drawn in, by element path. */
export interface DrawnElements {
  pieces: Map<string, Piece[]>;
  pages: Map<string, PageFile>;
  warnings: string[];
}
