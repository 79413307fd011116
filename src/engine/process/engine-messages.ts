import type { PublicErrorCode } from '../../errors/index.js';

/**
 * What can be asked of the engine process; `Engine` tells what each gives. Messages are JSON, so that one that hostile
 * media have taken over can send nothing but plain values.
 */
export type EngineCall =
  | { act: 'identity' }
  | { act: 'capabilities' }
  | { act: 'tryEncoder'; name: string }
  | { act: 'probe'; path: string }
  | { act: 'renderSegment'; timeline: string; range: { first: number; end: number }; path: string }
  | { act: 'renderAudio'; timeline: string; path: string }
  | { act: 'extractSound'; path: string; outputPath: string; sampleRate: number }
  | { act: 'stitch'; request: { segmentPaths: string[]; audioPath?: string; outputPath: string } }
  /** Pixels are written to a file: they are too many for a channel of messages. */
  | { act: 'composeFrame'; timeline: string; frame: number; pixelsPath: string };

export type ToEngine =
  | { type: 'call'; id: number; call: EngineCall }
  /** Its answer still comes. */
  | { type: 'cancel'; id: number };

export type FromEngine =
  /** All is loaded and the sandbox is sealed. */
  | { type: 'ready' }
  /** Every second. */
  | { type: 'alive' }
  | { type: 'progress'; id: number; done: number }
  | { type: 'result'; id: number; value: unknown }
  | { type: 'failed'; id: number; failure: EngineFailure };

export interface EngineFailure {
  code: PublicErrorCode;
  message: string;
  detail?: string;
}
