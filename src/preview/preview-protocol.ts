import type { FrameHeader, OpenedPreview, PreviewFrameRequest } from '../contract/index.js';
import type { PublicErrorCode } from '../errors/index.js';

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
export type FrameFormat = NonNullable<PreviewFrameRequest['format']>;

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
  type: FrameHeader['type'];
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
export type PreviewSummary = Omit<OpenedPreview, 'variables' | 'provider_credits'>;
