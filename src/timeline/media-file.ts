/** A local media file with its probe result. */
export interface MediaFile {
  path: string;
  /** Display size in square pixels; 0 without a video stream. */
  width: number;
  height: number;
  /** Seconds; 0 for stills. */
  durationSeconds: number;
  /** Play count of an animated image, 0 for endless; `durationSeconds` is then one play. Absent for other files. */
  plays?: number;
  hasAudio: boolean;
  /** Transfer characteristics of a high-dynamic-range file. Absent: SDR. */
  hdr?: 'hlg' | 'pq';
  /** The mastering display of a PQ video, as in a timeline. Absent for others. */
  mastering?: readonly number[];
  /** Content that is not rendered. */
  omitted?: ReadonlyArray<'animation' | 'audio' | 'audio-tracks' | 'end'>;
  /** True for vector images (SVG), which are rasterized at their display size. */
  isSvg?: true;
  /** True for Lottie animations, which are drawn at their display size; `durationSeconds` is one play. */
  isLottie?: true;
  /** What the player of a Lottie animation leaves out. */
  lottieLimits?: readonly string[];
  /** Of a Lottie animation that has been drawn: an image, or a sequence at the movie's frame rate. */
  drawnAs?: PageFile['kind'];
}

/** A captured page: a still image, or a sequence at the movie's frame rate. */
export interface PageFile {
  kind: 'image' | 'sequence';
  path: string;
}
