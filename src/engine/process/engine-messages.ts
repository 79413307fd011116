import { engineErrorTable } from '../../errors/index.js';
import type { EngineError } from '../engine-error.js';

/**
 * What can be asked of the engine process (native/host); `Engine` tells what each gives. Messages are JSON, one per line, so that one that
 * hostile media have taken over can send nothing but plain values.
 */
export type EngineCall =
  | { act: 'capabilities' }
  | { act: 'tryEncoder'; name: string }
  | { act: 'probe'; path: string }
  | { act: 'renderSegment'; timeline: string; range: { first: number; end: number }; path: string }
  | { act: 'renderAudio'; timeline: string; path: string }
  | { act: 'extractSound'; path: string; outputPath: string; sampleRate: number }
  | { act: 'stitch'; request: { segmentPaths: string[]; audioPath?: string; outputPath: string } }
  /** Pixels are written to a new file: they are too many for a channel of messages. */
  | { act: 'composeFrame'; timeline: string; frame: number; pixelsPath: string }
  | { act: 'decodeAhead'; path: string }
  | { act: 'keepMedia' }
  | { act: 'writeFrame'; timeline: string; frame: number; picturePath: string; type?: ImageFormat; stillsFolder?: string };

export type ImageFormat = 'png' | 'jpeg';

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
  | { type: 'result'; id: number; value: object }
  | { type: 'failed'; id: number; error: EngineError };

/** Undefined when the line is no message. */
export function readMessage(line: string): FromEngine | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(message: unknown): message is FromEngine {
  if (!isObject(message)) return false;
  const { type, id, done, value, error } = message;
  if (type === 'ready' || type === 'alive') return true;
  if (!Number.isSafeInteger(id)) return false;
  if (type === 'progress') return Number.isSafeInteger(done);
  if (type === 'result') return isObject(value);
  return type === 'failed' && isEngineError(error);
}

function isEngineError(error: unknown): boolean {
  if (!isObject(error)) return false;
  const { code, message, detail } = error;
  return typeof code === 'string' && Object.hasOwn(engineErrorTable, code) && typeof message === 'string' && typeof detail === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
