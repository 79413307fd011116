import type { HostDescription } from '../encoder-bench/describe-host.js';

/** What `gpu_check --json` prints. */
export interface GpuCheck {
  /** Why no device could be listed. */
  error?: string;
  devices: GpuDevice[];
  encoders: GpuEncoder[];
  decoders: GpuDecoder[];
}

/** A Vulkan device; what was not measured is absent. Times are seconds per frame. */
export interface GpuDevice {
  name: string;
  type: string;
  /** Bytes. */
  memory: number;
  /** What it lacks for composing; empty: nothing. */
  missing: string;
  opening?: { instanceSeconds: number; deviceSeconds: number; firstFrameSeconds: number };
  parity?: { cases: number; wrong: number; largestDifference: number; minSimilarity: number; firstFailure: string };
  /** Frames of 10 bits; absent in documents of older versions. The difference is that of luma in codes of 10 bits. */
  deepParity?: { cases: number; wrong: number; hostFrames: number; largestDifference: number; chromaDifference: number; firstFailure: string };
  /** Why frames cannot be shared; empty: they can. */
  sharing?: { opaque: string; timeline?: string; dmaBuf: string; renderNode: number };
  /** How frames of each decoder stay on this card for its compositor; an empty path, and why not. */
  decodedFrames?: Array<{ decoder: string; path: string; reason: string }>;
  /** `bits`: 8 where it is absent. */
  speed: Array<{
    width: number;
    height: number;
    layers: number;
    bits?: number;
    deviceSeconds: number;
    frameSeconds: number;
    cpuSeconds: number;
    joulesPerFrame: number;
  }>;
  errors: string[];
}

/** A format on a device that decodes. */
export interface GpuDecoder {
  device: string;
  codec: string;
  /** Whether every sample equals the CPU's. */
  exact: boolean;
  reason: string;
  framesPerSecond: number;
  softwareFramesPerSecond: number;
  /** Several decoders at once. */
  streams: Array<{ width: number; height: number; decoders: number; framesPerSecond: number; joulesPerFrame: number }>;
}

/** How much several encoders or renders at once do. */
export interface StreamRate {
  width: number;
  height: number;
  /** Encoders or segments at once; more of them are not faster together. */
  count: number;
  /** Of all together. */
  framesPerSecond: number;
  /** Streams in real time. */
  streams: number;
  /** Sessions that the driver opens; 0: it refused none. */
  sessions: number;
  /** 0: unknown. */
  joulesPerFrame: number;
}

/** An encoder of this host. */
export interface GpuEncoder {
  name: string;
  opens: boolean;
  reason: string;
  /** Several encoders at once, with uploads from main memory. Absent in documents of older versions, empty for software. */
  streams?: StreamRate[];
  /**
   * Whole renders: decoding, composing and encoding. `interop`: how frames reach the encoder; empty: through main memory. `copiesPerFrame`: on the card, for
   * the encoder; absent in documents of older versions.
   */
  renders?: Array<StreamRate & { decoder: string; compositor: string; interop: string; copiesPerFrame?: number }>;
}

/** A document of `bench gpu`. */
export interface GpuBenchDocument {
  /** ISO time. */
  finished: string;
  host: HostDescription;
  check: GpuCheck;
}
