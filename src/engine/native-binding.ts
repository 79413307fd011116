/** The shape of build/Release/framewright.node. Only `engine.ts` in this folder loads it. */
export interface NativeBinding {
  capabilities(): NativeCapabilities;
  /** Runs on libuv's pool, some 10 ms on a processor, up to a second where a driver has to be started. */
  tryEncoder(name: string): Promise<NativeEncoderProbe>;
  /** Reads a media file's facts; runs on libuv's pool, well under 100 ms. */
  probe(path: string): Promise<NativeMediaProbe>;
  /** Renders canvas frames [first, end) of a timeline (UTF-8 JSON) into a packet file. */
  renderSegment(
    timeline: Uint8Array,
    range: { first: number; end: number },
    path: string,
    onProgress: (framesDone: number) => void,
  ): NativeTask<NativeSegmentResult>;
  renderAudio(timeline: Uint8Array, path: string, onProgress: (samplesDone: number) => void): NativeTask<{ samples: number; bytes: number }>;
  /** A file's sound from the media's zero, as WAV of one channel and 16 bits; 8000 to 48000 samples a second. */
  extractSound(path: string, outputPath: string, sampleRate: number): NativeTask<{ samples: number; bytes: number }>;
  stitch(request: { segmentPaths: string[]; audioPath?: string; outputPath: string }): NativeTask<NativeStitchResult>;
  /** One frame as straight RGBA, 4 bytes a pixel, rows without padding. */
  composeFrame(timeline: Uint8Array, frame: number): NativeTask<{ width: number; height: number; pixels: Buffer }>;
}

/** Work on threads of its own. `done` rejects with an Error that also carries `code` (schema/error-codes.json, engine) and `detail`. */
export interface NativeTask<T> {
  readonly done: Promise<T>;
  cancel(): void;
}

export interface NativeCapabilities {
  engineVersion: string;
  /** e.g. { libavcodec: '59.37.100' } */
  libraries: Record<string, string>;
  /** SIMD target in use, e.g. AVX3. */
  simd: string;
  compositors: Array<{ name: string; available: boolean; reason: string }>;
  /** Ways from a graphics device to its encoders past main memory, each proven with small pictures where the host has both. */
  handovers: Array<{ name: string; available: boolean; reason: string }>;
  /** Devices that may decode films, by codec, each proven with a small clip; none where the host has no node of one. */
  decoders: Array<{ name: string; codec: string; available: boolean; reason: string }>;
  /** Each really opened once, with a tiny picture. */
  encoders: NativeEncoderProbe[];
}

export interface NativeEncoderProbe {
  name: string;
  available: boolean;
  /** Why not, in the words of the library or driver. */
  reason: string;
  /** The kind of reason; empty when available. */
  refusal: '' | 'not-built' | 'no-device' | 'no-session' | 'refused';
}

export interface NativeMediaProbe {
  kind: 'image' | 'video' | 'audio';
  container: string;
  videoCodec: string;
  audioCodec: string;
  /** As shown: upright, square pixels. 0 without picture. */
  width: number;
  height: number;
  /** Seconds; 0 for stills. */
  durationSeconds: number;
  /** Rounds of an animated picture, which lasts one of them; 0: without end. Absent: nothing of the kind. */
  plays?: number;
  frameRate: { num: number; den: number };
  hasAudio: boolean;
}

export interface NativeSegmentResult {
  frames: number;
  composedFrames: number;
  /** Taken from a film's file as they are coded there. */
  copiedFrames: number;
  /** Encoders that ran at once while this one did; 0: none was needed. */
  maxParallelEncodes: number;
  bytes: number;
  decodeSeconds: number;
  composeSeconds: number;
  encodeSeconds: number;
  /** Of a graphics device in whose place the processor drew on. Absent: of none. */
  deviceFailure?: string;
  /** How frames came from the graphics device to the encoder without passing through main memory. Absent: they passed through it. */
  handover?: 'cuda' | 'vaapi';
  /** Why they did not, where another way was tried. */
  handoverReason?: string;
  /** What decoded the films that were played, and what speaks against ways that were looked at; none where there is only the processor. */
  films: Array<{ way: 'nvdec' | 'vaapi' | 'software'; reason?: string }>;
  /** What each element's pictures took, whatever went on beside it; no label: layers without pictures. */
  elements: Array<{ label: string; decodeSeconds: number; composeSeconds: number }>;
}

export interface NativeStitchResult {
  frames: number;
  bytes: number;
  durationSeconds: number;
}
