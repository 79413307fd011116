import type { FinishedOutput } from './job.js';
import type { Purchase } from './purchase.js';

/**
 * IPC messages between the service and its render processes.
 * The service owns the database and the leases. A render process receives one job at a time and no secrets; if it dies,
 * one attempt is lost. Field names and values are a wire format, which workers of tests and benchmarks implement too.
 */
export type ToWorker =
  | { type: 'render'; job: WorkerJob }
  /** Response to `reserve`, `bought` and `planned`, with the number of the message. */
  | { type: 'proceed'; jobId: string; request: number }
  | { type: 'cancel'; jobId: string }
  /** Requests the host's capabilities. The response is `ability`, which may come at any time. */
  | { type: 'describe' }
  /** Finish the current job, then exit. */
  | { type: 'drain' };

/** A job for a render process. */
export interface WorkerJob {
  jobId: string;
  /** Scopes caches: accounts do not share cached packets. */
  accountId: string;
  /** 1 or 2. */
  attempt: number;
  /** The accepted movie script. */
  script: unknown;
  /** Whether to produce a mock video, which takes about a second. */
  sandbox: boolean;
  /** Absolute folder for this attempt's temporary files; the service deletes it afterwards. */
  workDir: string;
  /** Absolute path of the primary output; written under another name, then renamed. Further outputs are written beside it. */
  outputPath: string;
  /** Absent: the whole movie. */
  task?: RenderTask;
}

/** One step of a distributed render. Inputs are staged in `stagedDir`, which the task then owns. */
export type RenderTask =
  /** Plans the movie up to its first frame; writes `layout.json` (a RenderPlan) into the job's folder. */
  | { kind: 'layout' }
  /** Reads `part.json` (a StagedSegment) and its sources; writes `packets.nut` into the job's folder. */
  | { kind: 'part'; stagedDir: string }
  /** Reads `stitch.json` (a StagedStitch) and the packets that it names; writes the output. */
  | { kind: 'stitch'; stagedDir: string };

/** A fully resolved movie, cut into segments that any host of the same engine identity renders to the same bytes. */
export interface RenderPlan {
  /** Identity of the engine build and host features that decide output bytes. */
  identity: string;
  durationSeconds: number;
  frames: number;
  warnings: string[];
  /** All segments for one encoder; a second entry is the fallback when a hardware encoder fails. */
  encodings: Array<{ encoder: string; parts: PlannedSegment[] }>;
  /** Source files by their content-addressed name in the documents. */
  sources: Array<{ name: string; path: string }>;
  /** What a movie with `outputs` needs besides its segments. */
  finish?: PlannedFinish;
}

/** Input of the last step of a movie with `outputs`, which makes the files of segments and all other files. Stored in the object store: field values stay. */
export interface PlannedFinish {
  /** Name of the file in the job's folder that holds it. */
  document: string;
  /** Names of its sources. */
  sources: string[];
}

/** One segment of a plan, or its audio. Stored in the object store: field values stay. */
export interface PlannedSegment {
  kind: 'picture' | 'sound';
  /** Stage name in progress events. */
  stage: string;
  /** Share of the work, relative to the other segments: its frames; little for audio. */
  weight: number;
  range: { first: number; end: number };
  /** Name of the file in the job's folder that holds its timeline. */
  document: string;
  /** Names of its sources. */
  sources: string[];
  /** Cache key of everything that decides its bytes. Absent: not cacheable. */
  key?: string;
  /** Name of the output to which it belongs, in a movie with `outputs`. */
  video?: string;
  /** Size to which its frames are scaled; absent: the canvas. */
  size?: { width: number; height: number };
  /** Bits per second of a sound, in a movie with `outputs`. */
  bitrate?: number;
}

/** A segment to render; sources in the document are names of files beside it. */
export type StagedSegment = Pick<PlannedSegment, 'kind' | 'stage' | 'range' | 'document' | 'size'>;

/** Names of packet files in order. */
export interface StagedStitch {
  /** Encoder of the segments. */
  encoder: string;
  segments: string[];
  audio?: string;
  /** Of a movie with `outputs`, in place of `segments` and `audio`. */
  finish?: {
    document: string;
    videos: Array<{ video: string; segments: string[] }>;
    sounds: Array<{ bitrate: number; path: string }>;
  };
}

/** Engine capabilities of a host. */
export interface HostCapabilities {
  /** Undefined if it cannot be determined: the host then renders no segments. */
  identity: string | undefined;
  /** Encoders that open successfully. */
  encoders: string[];
  compositors: string[];
}

/** Messages from a render process. */
export type FromWorker =
  | { type: 'ready' }
  /** Heartbeat: sent when a job starts and every second. Renews the lease. If a process dies before the first one, the attempt does not count. */
  | { type: 'alive'; jobId: string }
  /** Progress 0..1, never decreasing; stages as in the API: preparing, rendering_scene_1, …, stitching, complete. */
  | { type: 'progress'; jobId: string; progress: number; stage: string }
  /** Reserve credits for the render, as far as its price is known, and for purchases. The worker waits for `proceed` or `cancel` before it buys. */
  | { type: 'reserve'; jobId: string; request: number; credits: number; purchases: Purchase[] }
  /** Record a purchase. The worker waits for `proceed` before it uses the result. */
  | { type: 'bought'; jobId: string; request: number; purchase: Purchase }
  /** All durations are known and everything is bought: settle the estimate. The worker waits for `proceed` or `cancel`. */
  | { type: 'planned'; jobId: string; request: number; durationSeconds: number; credits: number }
  /** `outputs`: the files of a movie with `outputs`, in the script's order; their names in storage follow from their names. */
  | {
      type: 'completed';
      jobId: string;
      durationSeconds: number;
      sizeBytes: number;
      frames: number;
      warnings: string[];
      encoder: string;
      outputs?: ReadonlyArray<Omit<FinishedOutput, 'file' | 'sizeBytes'>>;
    }
  /** A metric observation; does not affect the job. */
  | { type: 'observed'; observation: Observation }
  /** The engine process exited unexpectedly; the render process continues. `loss`: an EngineExitReason; `message` is public. */
  | { type: 'interrupted'; jobId: string; loss: string; message: string }
  /** The job cannot succeed and is not retried. */
  | { type: 'failed'; jobId: string; code: 'RENDER_FAILED' | 'INTERNAL_ERROR'; message: string; encoder?: EncoderFailure }
  /** Response to `describe`. */
  | { type: 'ability'; ability: HostCapabilities };

/** A hardware encoder that failed during a segment; the software encoder can replace it. */
export interface EncoderFailure {
  name: string;
  reason: 'busy' | 'unavailable' | 'failed' | 'mixed';
}

/** Metric observations of a render process, which the service exports. */
export type Observation =
  /** A media download ended; `bytes` were received. */
  | { kind: 'media-fetch'; result: 'ok' | 'blocked' | 'failed'; bytes: number }
  /** A request to a forbidden address was blocked. */
  | { kind: 'blocked'; sink: string }
  /** An encoder was opened or closed. `gpu` is `nvenc`, `vaapi`, or `none` for software. */
  | { kind: 'encoder-session'; encoder: string; gpu: string; open: boolean }
  /** A cache lookup of encoded packets: on a hit `bytes` were read, on a miss they were written. */
  | { kind: 'segment-cache'; part: 'picture' | 'sound'; result: 'hit' | 'miss'; bytes: number }
  /** Another encoder replaced the requested one. */
  | { kind: 'encoder-fallback'; from: string; to: string; reason: 'busy' | 'unavailable' | 'failed' | 'mixed' }
  /** How a segment's frames are transferred from the GPU to the encoder: on the device, or through host memory (`host`). */
  | { kind: 'frame-interop'; backend: 'cuda-direct-semaphores' | 'cuda-direct' | 'cuda-semaphores' | 'cuda' | 'vaapi' | 'vaapi-copy' | 'host' }
  /** Decode backend of a clip. */
  | { kind: 'clip-decode'; backend: 'nvdec' | 'vaapi' | 'software' }
  /** This host finished a segment of a distributed render. */
  | { kind: 'movie-part'; seconds: Record<'staged' | 'rendered' | 'handed_over', number> }
  /** A hardware encoder was probed. `refusal` is the kind of rejection reason; empty if it is available. */
  | { kind: 'encoder-trial'; encoder: string; available: boolean; refusal: string };
