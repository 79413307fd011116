/** A local media file and what probing it said. */
export interface MediaFile {
  path: string;
  /** As shown, in square pixels; 0 without picture. */
  width: number;
  height: number;
  /** Seconds; 0 for stills. */
  durationSeconds: number;
  /** Rounds of an animated picture, which lasts one of them; 0: without end. Absent: nothing of the kind. */
  plays?: number;
  hasAudio: boolean;
  /** Of lines rather than pixels, SVG: drawn as large as it is shown. */
  isDrawing?: true;
}

/** A drawn page: one picture, or pictures at the movie's rate. */
export interface PageFile {
  kind: 'image' | 'sequence';
  path: string;
}
