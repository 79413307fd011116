import type { Outbound } from '../../outbound/index.js';

/** A finished file on the local disk. */
export interface ExportFile {
  path: string;
  mimeType: string;
  sizeBytes: number;
  /** Unique file name, e.g. the job's id with `.mp4`; name of the folder of an output of several files. */
  name: string;
  /** Files of the folder, the one at `path` last; absent for an output that is one file. */
  parts?: readonly ExportPart[];
  /** Public download URL. */
  downloadUrl: string;
  /** Seed of `__random__` and of temporary names: a secret of this file, the same in every delivery. */
  seed: string;
  /** When the job was completed (Unix ms): the time that macros show. */
  completedAtMs: number;
  job: ExportJob;
}

/** A file of an output of several files. */
export interface ExportPart extends Pick<ExportFile, 'path' | 'mimeType' | 'sizeBytes'> {
  /** Name in the folder. */
  name: string;
}

/** Job metadata that webhook targets receive. */
export interface ExportJob {
  id: string;
  width: number;
  height: number;
  durationSeconds: number;
  /** The script's own `id` and `client-data`. */
  scriptId?: string;
  clientData?: unknown;
}

/** Time source of deliveries; tests substitute it. */
export interface ExportClock {
  /** Ends early, without an error, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Services and settings that all deliveries share. */
export interface ExportOptions {
  outbound: Pick<Outbound, 'send' | 'connect'>;
  clock: ExportClock;
  /** The operator's mail server; when undefined, e-mail targets fail. */
  mail: MailSettings | undefined;
  youtube: YoutubeEndpoints;
  /** Maximum inactivity of a server; default 30 s. */
  idleMs?: number;
  signal?: AbortSignal;
}

/** The mail server that e-mail targets send through. */
export interface MailSettings {
  /** smtp:// or smtps://, with user and password if the server requires them. */
  url: string;
  from: string;
}

/** Base URLs of the YouTube API and its token endpoint. */
export interface YoutubeEndpoints {
  /** Without a trailing slash. */
  apiUrl: string;
  tokenUrl: string;
}

/** The arguments of one delivery attempt, passed to every target's function. */
export interface DeliveryContext {
  file: ExportFile;
  options: Omit<ExportOptions, 'signal' | 'idleMs'>;
  idleMs: number;
  signal: AbortSignal;
}
