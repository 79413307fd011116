/** The exports of build/Release/framewright.node. Only `engine.ts` in this folder loads it. */
export interface NativeBinding {
  /** Runs an `EngineCall`, as JSON, on a thread of its own. Throws a TypeError when the call is not valid. */
  call(json: string, onProgress?: (done: number) => void): NativeTask;
}

/** A running call. `done` rejects with an Error that also has `code` (schema/error-codes.json, engine) and `detail`. */
export interface NativeTask {
  /** The result as JSON; `pixels` only for composeFrame. */
  readonly done: Promise<{ json: string; pixels?: Buffer }>;
  cancel(): void;
}

/** What the engine can use on this host. */
export interface NativeCapabilities {
  engineVersion: string;
  /** e.g. { libavcodec: '59.37.100' } */
  libraries: Record<string, string>;
  /** The SIMD target in use, e.g. AVX3. */
  simd: string;
  compositors: Array<{ name: string; available: boolean; reason: string }>;
  /** Backends that keep frames on the graphics device for its encoders, each probed with small frames. */
  interops: Array<{ name: string; available: boolean; reason: string }>;
  /** Devices that may decode videos, by codec, each probed with a small clip. Empty when the host has no device node. */
  decoders: Array<{ name: string; codec: string; available: boolean; reason: string }>;
  /** Whether frames that these devices decode stay on the card for its compositor; when available, the reason is the path. Empty like `decoders`. */
  decodeInterops: Array<{ name: string; available: boolean; reason: string }>;
  /** Each was opened and has encoded a small frame. */
  encoders: NativeEncoderProbe[];
}

/** Whether an encoder works on this host. */
export interface NativeEncoderProbe {
  name: string;
  available: boolean;
  /** The message of the library or driver when unavailable. */
  reason: string;
  /** Category of the reason; empty when available. */
  refusal: '' | 'not-built' | 'no-device' | 'no-session' | 'refused';
  /** Configuration that opened: cards of older generations lack some features. */
  variant: number;
  /** Options that this libav does not know. */
  ignoredOptions: string[];
}

/** Metadata of a media file. */
export interface NativeMediaProbe {
  kind: 'image' | 'video' | 'audio';
  container: string;
  videoCodec: string;
  audioCodec: string;
  /** Display size, after rotation and with square pixels; 0 without video. */
  width: number;
  height: number;
  /** 0 for stills; one round of an animated image. */
  durationSeconds: number;
  /** Rounds of an animated image, 0: endless; undefined for other media. */
  plays?: number;
  frameRate: { num: number; den: number };
  hasAudio: boolean;
  /** Transfer characteristics of a high-dynamic-range file. Absent: SDR. */
  hdr?: 'hlg' | 'pq';
  /** The mastering display of a PQ video, as in a timeline. Absent for others. */
  mastering?: readonly number[];
  /** Content that is not rendered; absent if there is none: the animation of an AVIF file, audio that cannot be decoded, audio tracks besides the default one. */
  omitted?: Array<'animation' | 'audio' | 'audio-tracks' | 'end'>;
}

/** How frames go from a graphics device to an encoder on it, see docs/gpu.md. */
export type InteropBackend = 'cuda-direct-semaphores' | 'cuda-direct' | 'cuda-semaphores' | 'cuda' | 'vaapi' | 'vaapi-copy';

/** Counts and times of one rendered segment. */
export interface NativeSegmentResult {
  frames: number;
  composedFrames: number;
  /** Frames copied as coded packets from a source video. */
  copiedFrames: number;
  /** Frames encoded as footage, with the encoder's own lookahead instead of the engine's. */
  footageFrames: number;
  /** Encoders that ran at once while this one did; 0: none ran. */
  maxParallelEncoders: number;
  bytes: number;
  decodeSeconds: number;
  composeSeconds: number;
  encodeSeconds: number;
  /** Why the CPU replaced a graphics device; undefined when it did not. */
  deviceFailure?: string;
  /** The backend that kept frames on the graphics device for the encoder; undefined: through main memory. */
  interop?: InteropBackend;
  /** Why better backends were not used. */
  interopReason?: string;
  /** Frames that were copied on the device for the encoder; undefined: all went through main memory. */
  interopCopies?: number;
  /** The decoder of each played video, and why other backends were rejected. Empty when only software can decode. */
  videos: NativeVideoDecoding[];
  /** Damaged videos: seconds that are missing, during which the frame before is shown. */
  faults: Array<{ label: string; lostSeconds: number }>;
  /** Videos that are shown unchanged and encoded nevertheless; the reason is a predicate. */
  uncopied: Array<{ label: string; reason: string }>;
  /** Thread time spent on each element's images; no label: layers without images. */
  elements: Array<{ label: string; decodeSeconds: number; composeSeconds: number }>;
}

/** What decoded a video, and how its frames reached the compositor. */
export interface NativeVideoDecoding {
  backend: 'nvdec' | 'vaapi' | 'software';
  /** Why other backends were rejected. */
  reason?: string;
  /** The path on which frames stayed on the card; undefined: through main memory. */
  interop?: 'cuda' | 'vaapi';
  /** Why frames passed through main memory. */
  interopReason?: string;
  /** Frames that were copied to main memory, where a card decoded. */
  hostCopies?: number;
  /** Frames that were copied on the card. */
  deviceCopies?: number;
}

/** How one composition of renderOutputs was drawn. */
export interface NativeComposition {
  compositor: 'cpu' | 'vulkan';
  /** Composed frames; the others repeat their predecessor. */
  frames: number;
  /** Of these, frames that the CPU drew because the device has no version of what they show. */
  hostFrames: number;
  /** Why the CPU replaced the device; undefined when it did not. */
  deviceFailure?: string;
  /** As in a segment; empty where a segment of the same composition reports them. */
  videos: NativeVideoDecoding[];
}

/** What renderOutputs wrote, in the order of the request. */
export interface NativeOutputsResult {
  /** An error where a segment was not written: its encoder failed, or source packets can be copied instead. */
  segments: Array<NativeSegmentResult | { code: string; message: string; detail: string }>;
  /** How frames were composed: once for all outputs, or once for each group of outputs that need another composition. */
  compositions: NativeComposition[];
  outputs: Array<{
    path: string;
    bytes: number;
    frames: number;
    /** Pixels; smaller than requested where maxBytes required it, 0 for audio. */
    width: number;
    height: number;
    durationSeconds: number;
  }>;
}

/** The beats of a file's audio. */
export interface NativeBeats {
  /** Beats per minute where it is steady; 0 without beats. */
  tempo: number;
  /** Seconds of media time, ascending. */
  beats: number[];
}

/** Size of a stitched file. */
export interface NativeStitchResult {
  frames: number;
  bytes: number;
  durationSeconds: number;
}
