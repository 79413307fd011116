import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { OutputFileSpec, OutputSegmentSpec } from '../contract/index.js';
import { AppError } from '../errors/index.js';
import { type EngineError, toAppError } from './engine-error.js';
import { engineIdentity } from './engine-identity.js';
import type {
  InteropBackend,
  NativeBeats,
  NativeBinding,
  NativeCapabilities,
  NativeComposition,
  NativeEncoderProbe,
  NativeMediaProbe,
  NativeOutputsResult,
  NativeSegmentResult,
  NativeStitchResult,
  NativeTask,
} from './native-binding.js';
import type { EngineCall, StitchRequest } from './process/engine-messages.js';

export type { StitchRequest } from './process/engine-messages.js';

export type Beats = NativeBeats;
export type Capabilities = NativeCapabilities;
export type Composition = NativeComposition;
export type EncoderProbeResult = NativeEncoderProbe;
export type MediaProbeResult = NativeMediaProbe;
export type SegmentResult = NativeSegmentResult;
export type { InteropBackend };
/** What `renderOutputs` wrote, in the order of the request. */
export interface OutputsResult extends Pick<NativeOutputsResult, 'outputs' | 'compositions'> {
  /** An error where a segment was not written: its encoder failed, or source packets can be copied. `renderSegment` renders it alone. */
  segments: Array<SegmentResult | AppError>;
}
export type StitchResult = NativeStitchResult;

/** Size of rendered or extracted audio. */
export interface AudioResult {
  samples: number;
  bytes: number;
  /** Damaged audio of clips: seconds that are missing, during which they are silent. */
  faults: Array<{ label: string; lostSeconds: number }>;
}

/** Frame as straight-alpha RGBA, 4 bytes per pixel, rows without padding. */
export interface ComposedFrame {
  width: number;
  height: number;
  pixels: Buffer;
}

/** Options of every engine call. */
export interface CallOptions {
  /** Cancels the work; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Options of calls that report progress. */
export interface ProgressOptions extends CallOptions {
  /** Called with the frames or samples done so far, about 20 times per second at most. */
  onProgress?: (done: number) => void;
}

/** Options of `renderOutputs`. */
export interface OutputsOptions extends ProgressOptions {
  /** Encoded beside the outputs, as `renderSegment` does. Ranges that overlap must be equal. */
  segments?: OutputSegmentSpec[];
}

/**
 * The C++ engine. Every failure is an AppError whose message may be shown to clients; its `detail` has the engine's error code
 * and library messages.
 */
export interface Engine {
  /** Maximum number of segments encoded in parallel; the engine may run fewer. A queued segment has started when it reports progress. */
  readonly maxParallelSegments: number;
  /** The same for encoders on graphics cards; default: `maxParallelSegments`. */
  readonly maxParallelOnCards?: number;
  /** Engines with the same identity give identical bytes for the same input; undefined when it cannot be determined. */
  identity(): Promise<string | undefined>;
  /** Lists what the host supports. Opens every encoder once, which can take seconds. */
  capabilities(): Promise<Capabilities>;
  /** Opens an encoder and encodes one frame with it. */
  probeEncoder(name: string): Promise<EncoderProbeResult>;
  /** Reads the metadata of a media file. */
  probe(path: string): Promise<MediaProbeResult>;
  /** Encodes a range of frames to `path`. `timeline` is UTF-8 JSON that conforms to schema/timeline.schema.json. */
  renderSegment(timeline: Uint8Array, range: { first: number; end: number }, path: string, options?: ProgressOptions): Promise<SegmentResult>;
  /** Mixes the timeline's audio to `path`: AAC for `stitch`, or without loss where `path` ends in .wav, for `renderOutputs`. */
  renderAudio(timeline: Uint8Array, path: string, options?: ProgressOptions): Promise<AudioResult>;
  /**
   * Writes several files, and segments, from one composition: each frame is composed once for all of them. Progress counts composed
   * frames. After a failure or cancellation none of the files exists.
   */
  renderOutputs(timeline: Uint8Array, outputs: OutputFileSpec[], options?: OutputsOptions): Promise<OutputsResult>;
  /** Writes a file's audio, from timestamp 0, as mono 16-bit WAV; `sampleRate` is 8000 to 48000 Hz. */
  extractSound(path: string, outputPath: string, sampleRate: number, options?: CallOptions): Promise<AudioResult>;
  /** Finds the beats of a file's audio. `expectedTempo`: beats per minute, 30 to 300, where known. */
  findBeats(path: string, expectedTempo?: number, options?: CallOptions): Promise<Beats>;
  /** Muxes segments and audio into the output file. */
  stitch(request: StitchRequest, options?: CallOptions): Promise<StitchResult>;
  /** Composes one frame. */
  composeFrame(timeline: Uint8Array, frame: number, options?: CallOptions): Promise<ComposedFrame>;
}

const addonPath = fileURLToPath(new URL('../../build/Release/framewright.node', import.meta.url));

/** Loads the addon, which runs the engine in this process without a sandbox. Throws when it is not built or is incompatible with this machine. */
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
    renderOutputs: async (timeline, outputs, { segments = [], ...options } = {}) =>
      toOutputsResult(await call<NativeOutputsResult>({ command: 'renderOutputs', timeline: decodeTimeline(timeline), outputs, segments }, options)),
    extractSound: (path, outputPath, sampleRate, options) => call({ command: 'extractSound', path, outputPath, sampleRate }, options),
    findBeats: (path, expectedTempo, options) => call({ command: 'findBeats', path, ...(expectedTempo !== undefined && { expectedTempo }) }, options),
    stitch: (request, options) => call({ command: 'stitch', request }, options),
    composeFrame: (timeline, frame, options) => call({ command: 'composeFrame', timeline: decodeTimeline(timeline), frame }, options),
  };
}

/** Makes errors of segments those of the interface. */
export function toOutputsResult({ outputs, compositions, segments }: NativeOutputsResult): OutputsResult {
  return { outputs, compositions, segments: segments.map((segment) => ('code' in segment ? toAppError(segment) : segment)) };
}

/** Decodes a timeline for a JSON message. */
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
