import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors/index.js';
import { type EngineError, toAppError } from './engine-error.js';
import { engineIdentity } from './engine-identity.js';
import type {
  NativeBinding,
  NativeCapabilities,
  NativeEncoderProbe,
  NativeMediaProbe,
  NativeSegmentResult,
  NativeStitchResult,
  NativeTask,
} from './native-binding.js';
import type { EngineCall } from './process/engine-messages.js';

export type Capabilities = NativeCapabilities;
export type EncoderProbeResult = NativeEncoderProbe;
export type MediaProbeResult = NativeMediaProbe;
export type SegmentResult = NativeSegmentResult;
export type StitchResult = NativeStitchResult;

export interface AudioResult {
  samples: number;
  bytes: number;
}

/** Straight RGBA, 4 bytes a pixel, rows without padding. */
export interface ComposedFrame {
  width: number;
  height: number;
  pixels: Buffer;
}

export interface CallOptions {
  /** Cancels the work; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface ProgressOptions extends CallOptions {
  /** Frames or samples done so far, at most some 20 times a second. */
  onProgress?: (done: number) => void;
}

/**
 * The C++ engine. Every failure is an AppError whose text may be shown to clients; the engine's own code and
 * library texts are in its `detail`.
 */
export interface Engine {
  /** It encodes no more than these side by side, and fewer where they would not help; others wait for their turn, which the first progress tells. */
  readonly maxParallelSegments: number;
  /** Equal work of engines with the same identity gives equal bytes; undefined where that cannot be told. */
  identity(): Promise<string | undefined>;
  /** Opens every encoder once, which takes a moment. */
  capabilities(): Promise<Capabilities>;
  /** Opens one and encodes a picture with it, as a render would. */
  probeEncoder(name: string): Promise<EncoderProbeResult>;
  probe(path: string): Promise<MediaProbeResult>;
  /** `timeline` is UTF-8 JSON as schema/timeline.schema.json has it. */
  renderSegment(timeline: Uint8Array, range: { first: number; end: number }, path: string, options?: ProgressOptions): Promise<SegmentResult>;
  renderAudio(timeline: Uint8Array, path: string, options?: ProgressOptions): Promise<AudioResult>;
  /** Writes a file's sound, from the media's zero, as WAV of one channel and 16 bits; 8000 to 48000 samples a second. */
  extractSound(path: string, outputPath: string, sampleRate: number, options?: CallOptions): Promise<AudioResult>;
  stitch(request: { segmentPaths: string[]; audioPath?: string; outputPath: string }, options?: CallOptions): Promise<StitchResult>;
  composeFrame(timeline: Uint8Array, frame: number, options?: CallOptions): Promise<ComposedFrame>;
}

const addonPath = fileURLToPath(new URL('../../build/Release/framewright.node', import.meta.url));

/** Loads the addon, which runs the engine in this process without a sandbox. Throws when it is not built or does not fit this machine. */
export function createEngine(): Engine {
  const native = loadAddon();
  let identity: Promise<string | undefined> | undefined;
  const call = async <T>(command: EngineCall, { signal, onProgress }: ProgressOptions = {}): Promise<T> => {
    const { json, pixels } = await run(signal, () => native.call(JSON.stringify(command), onProgress));
    return { ...JSON.parse(json), ...(pixels && { pixels }) } as T;
  };
  return {
    maxParallelSegments: 1,
    identity: () => (identity ??= engineIdentity(addonPath, 'self')),
    capabilities: () => call({ command: 'capabilities' }),
    probeEncoder: (name) => call({ command: 'probeEncoder', name }),
    probe: (path) => call({ command: 'probe', path }),
    renderSegment: (timeline, range, path, options) => call({ command: 'renderSegment', timeline: decodeTimeline(timeline), range, path }, options),
    renderAudio: (timeline, path, options) => call({ command: 'renderAudio', timeline: decodeTimeline(timeline), path }, options),
    extractSound: (path, outputPath, sampleRate, options) => call({ command: 'extractSound', path, outputPath, sampleRate }, options),
    stitch: (request, options) => call({ command: 'stitch', request }, options),
    composeFrame: (timeline, frame, options) => call({ command: 'composeFrame', timeline: decodeTimeline(timeline), frame }, options),
  };
}

/** A timeline's bytes as the text that messages carry. */
export function decodeTimeline(timeline: Uint8Array): string {
  return Buffer.from(timeline.buffer, timeline.byteOffset, timeline.byteLength).toString('utf8');
}

function loadAddon(): NativeBinding {
  if (!existsSync(addonPath)) {
    throw new AppError('INTERNAL_ERROR', { detail: `The engine is not built: ${addonPath} is missing. Run "npm run build".` });
  }
  return createRequire(import.meta.url)(addonPath) as NativeBinding;
}

async function run(signal: AbortSignal | undefined, start: () => NativeTask): Promise<Awaited<NativeTask['done']>> {
  signal?.throwIfAborted();
  const task = start();
  const cancel = (): void => task.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await task.done;
  } catch (error) {
    if (signal?.aborted && isEngineError(error) && error.code === 'CANCELLED') throw signal.reason;
    throw isEngineError(error) ? toAppError(error) : error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function isEngineError(error: unknown): error is Error & EngineError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'detail' in error && typeof error.detail === 'string';
}
