import type { Problem, PublicErrorCode } from '../errors/index.js';

/**
 * Messages of the service to a preview process over the child process's IPC channel. Several requests may be in progress; each has an id and
 * ends with `done` or `failed`.
 */
export type ToPreview =
  | { type: 'open'; id: number; accountId: string; script: unknown }
  | { type: 'draw'; id: number; accountId: string; script: unknown; options: DrawOptions }
  /** The client received a frame: another may be sent. */
  | { type: 'acknowledge'; id: number }
  /** The client has gone. The request still ends with `done` or `failed`. */
  | { type: 'cancel'; id: number }
  /** Cancel all requests, remove all files and exit. */
  | { type: 'shutdown' };

/** Which frames to draw, and how. */
export interface DrawOptions {
  times: FrameTimes;
  /** Pixels, at most the movie's own width; the height follows its aspect ratio. */
  width: number;
  format: FrameFormat;
}

/** Seconds from the movie's start. A time past the end means the last frame; a range stops at the end. */
export type FrameTimes = { times: readonly number[] } | { from: number; to: number; step: number };

/** Image format of a frame. */
export type FrameFormat = 'jpeg' | 'png';

/** Messages of a preview process to the service. */
export type FromPreview =
  | { type: 'ready' }
  /** Heartbeat: every second while requests are in progress. */
  | { type: 'alive' }
  | { type: 'opened'; id: number; summary: PreviewSummary }
  | { type: 'frame'; id: number; frame: PreviewFrame }
  | { type: 'done'; id: number }
  | { type: 'failed'; id: number; error: PreviewError };

/** An encoded frame of the movie. */
export interface PreviewFrame {
  /** Start of the frame, in seconds. */
  time: number;
  type: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
}

/** An AppError in a form that IPC can carry. */
export interface PreviewError {
  code: PublicErrorCode;
  message: string;
  path?: string | undefined;
  detail?: string | undefined;
}

/** Timing and cost of a script; times in seconds from the movie's start. */
export interface PreviewSummary {
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
  /** What a preview or render of the script lacks. */
  warnings: Problem[];
}

/** An element and when it is visible or audible. */
export interface PreviewElement {
  path: string;
  type: string;
  id?: string;
  /** A few words that identify it to a reader. */
  label: string;
  start: number;
  duration: number;
}
