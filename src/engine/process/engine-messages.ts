import type { OutputFileSpec, OutputSegmentSpec } from '../../contract/index.js';
import { engineErrorTable } from '../../errors/index.js';
import type { EngineError } from '../engine-error.js';

/** What `stitch` muxes. */
export interface StitchRequest {
  /** In playback order. */
  segmentPaths: readonly string[];
  /** AAC packets of `renderAudio`; absent for a silent file and for one whose `file` has audio. */
  audioPath?: string;
  outputPath: string;
  /** Container, fragments, and audio that is encoded from its mix; absent: an MP4 file with `audioPath`. */
  file?: OutputFileSpec;
}

/** A command of native/commands. `Engine` and `EngineProcess` document what each one does and returns. */
export type EngineCall =
  | { command: 'capabilities' }
  | { command: 'probeEncoder'; name: string }
  | { command: 'probe'; path: string }
  | { command: 'renderSegment'; timeline: string; range: { first: number; end: number }; path: string }
  | { command: 'renderAudio'; timeline: string; path: string }
  | { command: 'renderOutputs'; timeline: string; outputs: OutputFileSpec[]; segments: OutputSegmentSpec[] }
  | { command: 'extractSound'; path: string; outputPath: string; sampleRate: number }
  | { command: 'findBeats'; path: string; expectedTempo?: number }
  | { command: 'stitch'; request: StitchRequest }
  /** Writes the pixels to a new file, because messages are JSON; the addon returns them when `pixelsPath` is missing. */
  | { command: 'composeFrame'; timeline: string; frame: number; pixelsPath?: string }
  | { command: 'decodeAhead'; path: string }
  | { command: 'keepMedia' }
  | { command: 'writeFrame'; timeline: string; frame: number; imagePath: string; type?: ImageFormat; stillsFolder?: string };

export type ImageFormat = 'png' | 'jpeg';

/** A message to the engine process (native/host). Messages are JSON lines, so a compromised engine can only send plain values. */
export type ToEngine =
  | { type: 'call'; id: number; call: EngineCall }
  /** The call still sends its result. */
  | { type: 'cancel'; id: number };

type FromEngine =
  /** The engine has loaded and sealed its sandbox. */
  | { type: 'ready' }
  /** Sent every second. */
  | { type: 'alive' }
  | { type: 'progress'; id: number; done: number }
  | { type: 'result'; id: number; value: object }
  | { type: 'failed'; id: number; error: EngineError };

/** Parses a message of the engine process; undefined when the line is not a valid message. */
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
