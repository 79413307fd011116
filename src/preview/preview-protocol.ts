import type { PublicErrorCode } from '../errors/index.js';

/**
 * What the service and its preview processes say to each other over the child process's IPC channel. Several requests may be under way; each
 * has an id, and ends with `done` or `failed`.
 */
export type ToPreview =
  | { type: 'open'; id: number; accountId: string; script: unknown }
  | { type: 'draw'; id: number; accountId: string; script: unknown; wish: DrawWish }
  /** A picture was taken: another may be sent. */
  | { type: 'taken'; id: number }
  /** Nobody wants the rest. It still ends with `done` or `failed`. */
  | { type: 'stop'; id: number }
  /** Stop everything, leave nothing behind, and exit. */
  | { type: 'end' };

export interface DrawWish {
  moments: Moments;
  /** Pixels; the height follows the movie. One that is wider than the movie is as wide as the movie. */
  width: number;
  format: PictureFormat;
}

/** Seconds from the movie's start. Times past the end show the last frame, in a range they are left out. */
export type Moments = { times: readonly number[] } | { from: number; to: number; step: number };

export type PictureFormat = 'jpeg' | 'png';

export type FromPreview =
  | { type: 'ready' }
  /** Every second while it works. */
  | { type: 'alive' }
  | { type: 'opened'; id: number; facts: PreviewFacts }
  | { type: 'picture'; id: number; picture: PreviewPicture }
  | { type: 'done'; id: number }
  | { type: 'failed'; id: number; error: PreviewError };

/** A frame of the movie. */
export interface PreviewPicture {
  /** At which the frame begins, in seconds. */
  time: number;
  type: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
}

/** An AppError on its way. */
export interface PreviewError {
  code: PublicErrorCode;
  message: string;
  path?: string | undefined;
  detail?: string | undefined;
}

/** What a script comes to; seconds from the movie's start. */
export interface PreviewFacts {
  width: number;
  height: number;
  fps: number;
  duration: number;
  frames: number;
  estimatedCredits: number;
  scenes: Array<{
    path: string;
    start: number;
    duration: number;
    transition?: { style: string; duration: number };
    elements: PreviewElement[];
  }>;
  elements: PreviewElement[];
  warnings: PreviewWarning[];
}

export interface PreviewElement {
  path: string;
  type: string;
  id?: string;
  /** A few words that tell it from others. */
  label: string;
  start: number;
  duration: number;
}

export interface PreviewWarning {
  /** Of the element; empty: the movie. */
  path: string;
  message: string;
}
