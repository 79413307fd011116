import type { Outbound } from '../../outbound/index.js';

/** The finished file, on this machine. */
export interface ExportFile {
  path: string;
  sizeBytes: number;
  /** Unique, e.g. the job's id with .mp4. */
  name: string;
  /** Where clients download it. */
  downloadUrl: string;
  job: ExportJob;
}

/** Facts for webhooks. */
export interface ExportJob {
  id: string;
  width: number;
  height: number;
  durationSeconds: number;
  /** The script's own `id` and `client-data`. */
  scriptId?: string;
  clientData?: unknown;
}

export interface ExportClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Ends early, without an error, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** What deliveries stand on. */
export interface ExportOptions {
  outbound: Pick<Outbound, 'send' | 'connect'>;
  clock: ExportClock;
  /** From 0 up to, not including, 1. */
  random: () => number;
  /** The operator's mail server; undefined: e-mail targets fail. */
  mail: MailSettings | undefined;
  youtube: YoutubeEndpoints;
  /** How long a server may be silent; default 30 s. */
  idleMs?: number;
  signal?: AbortSignal;
}

export interface MailSettings {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  url: string;
  from: string;
}

export interface YoutubeEndpoints {
  /** Without a slash at the end. */
  apiUrl: string;
  tokenUrl: string;
}

/** One try of one target: what every target's function gets. */
export interface DeliveryContext {
  file: ExportFile;
  options: Omit<ExportOptions, 'signal' | 'idleMs'>;
  idleMs: number;
  signal: AbortSignal;
}
