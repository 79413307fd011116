/**
 * What the service and its render processes say to each other over the child process's IPC channel.
 * The service owns the database and the leases; a render process sees one job at a time and nothing else,
 * so it needs no secrets and its death costs one attempt.
 */
export type ToWorker =
  | { type: 'render'; job: WorkerJob }
  /** Answer to `planned`. */
  | { type: 'proceed'; jobId: string }
  | { type: 'cancel'; jobId: string }
  /** Say what this host's engine can do: answered with `ability`, beside whatever goes on. */
  | { type: 'describe' }
  /** Finish the job in hand, then exit. */
  | { type: 'drain' };

export interface WorkerJob {
  jobId: string;
  /** What one account's jobs leave for later ones is for its own alone. */
  accountId: string;
  /** 1 or 2. */
  attempt: number;
  /** The movie script as it was accepted. */
  script: unknown;
  /** Sandbox jobs get a mock video in about a second. */
  sandbox: boolean;
  /** Absolute folder for this attempt's temporary files; the service deletes it afterwards. */
  workDir: string;
  /** Absolute path where the finished file must appear (written under another name, then renamed). */
  outputPath: string;
  /** Absent: the whole movie. */
  task?: RenderTask;
}

/** One step of a movie whose parts are rendered on whatever hosts. What it takes lies in `stagedDir`, which becomes the task's own. */
export type RenderTask =
  /** Everything before the first frame; leaves `layout.json` (a RenderPlan) in the job's folder. */
  | { kind: 'layout' }
  /** `part.json` (a StagedSegment) and its sources; leaves `packets.nut` in the job's folder. */
  | { kind: 'part'; stagedDir: string }
  /** `stitch.json` (a StagedStitch) and the packets that it names; leaves the movie. */
  | { kind: 'stitch'; stagedDir: string };

/** A movie with nothing left open, cut into parts that any host of the same identity renders alike. */
export interface RenderPlan {
  /** Of the engine, as it decides bytes. */
  identity: string;
  durationSeconds: number;
  frames: number;
  warnings: string[];
  /** All parts in one encoder's settings; a second one takes over where hardware gives out. */
  encodings: Array<{ encoder: string; parts: PlannedSegment[] }>;
  /** Files of the documents by the name that they have there, which stands for their bytes. */
  sources: Array<{ name: string; path: string }>;
}

export interface PlannedSegment {
  kind: 'picture' | 'sound';
  /** As progress calls it. */
  stage: string;
  /** How much of the whole it is: its frames, and little for sound. */
  weight: number;
  range: { first: number; end: number };
  /** Name of the file in the job's folder that holds its timeline. */
  document: string;
  /** Names of its sources. */
  sources: string[];
  /** Stands for all that decides its bytes. Absent: it is made anew for this movie. */
  key?: string;
}

/** The document's sources are names of files beside it. */
export type StagedSegment = Pick<PlannedSegment, 'kind' | 'stage' | 'range' | 'document'>;

/** Names of packets in their order. */
export interface StagedStitch {
  segments: string[];
  audio?: string;
}

/** What one host can do. */
export interface HostCapabilities {
  /** undefined: it cannot be told, and the host takes no parts. */
  identity: string | undefined;
  /** Those that open. */
  encoders: string[];
  compositors: string[];
}

export type FromWorker =
  | { type: 'ready' }
  /** Sent when a job begins and every second while it runs, even without progress: renews the lease. A process that dies before its first costs no attempt. */
  | { type: 'alive'; jobId: string }
  /** progress 0..1, never falling; stage as in the contract: preparing, rendering_scene_1, …, stitching, complete. */
  | { type: 'progress'; jobId: string; progress: number; stage: string }
  /** All lengths are known: settle the estimate. The worker waits for `proceed` (or `cancel`). */
  | { type: 'planned'; jobId: string; durationSeconds: number; credits: number }
  | { type: 'completed'; jobId: string; durationSeconds: number; sizeBytes: number; frames: number; warnings: string[]; encoder: string }
  /** Something that operators count; says nothing about the job's course. */
  | { type: 'observed'; observation: Observation }
  /** The engine died or hung and was ended: the attempt is over, this process is not. `loss` is one word, `message` may be shown to clients. */
  | { type: 'interrupted'; jobId: string; loss: string; message: string }
  /** The job cannot succeed as it is; it is not tried again. */
  | { type: 'failed'; jobId: string; code: 'RENDER_FAILED' | 'INTERNAL_ERROR'; message: string; encoder?: EncoderFailure }
  | { type: 'ability'; ability: HostCapabilities };

/** Hardware that gave out under a part: the processor's encoder could do what it cannot. */
export interface EncoderFailure {
  name: string;
  reason: 'busy' | 'unavailable' | 'failed';
}

/** What a render process saw and the service counts, as it has no counters that anyone reads. */
export type Observation =
  /** A file was fetched or not; `bytes` are those that arrived. */
  | { kind: 'media-fetch'; result: 'ok' | 'blocked' | 'failed'; bytes: number }
  /** An address that may not be reached was to be reached. */
  | { kind: 'blocked'; sink: string }
  /** An encoder is open, or no longer. `gpu` is `nvenc` or `vaapi`, and `none` for those that run on the processor. */
  | { kind: 'encoder-session'; encoder: string; gpu: string; open: boolean }
  /** Encoded packets of an earlier render were there (`bytes` were read), or not (`bytes` were kept for the next). */
  | { kind: 'segment-cache'; part: 'picture' | 'sound'; result: 'hit' | 'miss'; bytes: number }
  /** The encoder that was asked for could not be had. */
  | { kind: 'encoder-fallback'; from: string; to: string; reason: 'busy' | 'unavailable' | 'failed' }
  /** A segment's frames went from a graphics device to its encoder: there, or through main memory (`host`). */
  | { kind: 'frame-handover'; way: 'cuda' | 'vaapi' | 'host' }
  /** A film was decoded where a graphics card could. */
  | { kind: 'film-decode'; way: 'nvdec' | 'vaapi' | 'software' }
  /** A part of a movie that hosts share is done, by this host. */
  | { kind: 'movie-part'; seconds: Record<'staged' | 'rendered' | 'handed_over', number> }
  /** Hardware was tried. `refusal` is the kind of reason why it cannot be had; empty when it can. */
  | { kind: 'encoder-trial'; encoder: string; available: boolean; refusal: string };
