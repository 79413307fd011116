import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkerProcess } from '../engine/child-processes/index.js';
import { AppError } from '../errors/index.js';
import type { FromPreview, ToPreview } from './preview-protocol.js';

/** The log of the service, as far as previews need it. */
export interface PreviewLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

/** When a preview process is stopped or killed. */
export interface PreviewTiming {
  /** A process without requests for this time is shut down. */
  idleTimeoutMs: number;
  /** A process with requests that sends nothing for this time is killed. */
  heartbeatTimeoutMs: number;
  /** Interval between checks of heartbeat and memory. */
  checkIntervalMs: number;
  /** A process that takes longer to shut down is killed. */
  shutdownTimeoutMs: number;
}

/** What a slot needs to start its processes. */
interface PreviewSlotOptions {
  scriptPath: string;
  environment: Readonly<Record<string, string>>;
  /** Each process has a folder `preview-<pid>` in it. */
  workDir: string;
  /** Resident memory of the process itself; its children have limits of their own. */
  maxMemoryMb: number;
  /** A process that has answered this many requests is replaced when it is idle. */
  maxRequestsPerProcess: number;
  timing: PreviewTiming;
  log: PreviewLog;
}

/** A message that belongs to one request. */
export type PreviewMessage = Exclude<FromPreview, { type: 'ready' | 'alive' }>;
type Request = Extract<ToPreview, { type: 'open' | 'draw' }>;
/** A request before the slot gives it an id. */
export type NewRequest = Request extends infer One ? (One extends Request ? Omit<One, 'id'> : never) : never;

/** Holds at most one preview process, started for the first request and stopped when idle. */
export class PreviewSlot {
  readonly #options: PreviewSlotOptions;
  #process: WorkerProcess<ToPreview, FromPreview> | undefined;
  readonly #pending = new Map<number, (message: PreviewMessage) => void>();
  #lastId = 0;
  #answered = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Removal of the folders of processes that have exited. */
  #removing: Promise<unknown> = Promise.resolve();

  constructor(options: PreviewSlotOptions) {
    this.#options = options;
  }

  /** Process id while a process runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Requests in progress. */
  get load(): number {
    return this.#pending.size;
  }

  /** Starts a request and returns its id; `receive` gets each of its messages, the last of which is `done` or `failed`. */
  start(request: NewRequest, receive: (message: PreviewMessage) => void): number {
    clearTimeout(this.#idleTimer);
    this.#process ??= this.#startProcess();
    this.#lastId += 1;
    const id = this.#lastId;
    if (this.#pending.size === 0) this.#process.noteMessage();
    this.#pending.set(id, receive);
    this.#process.send({ ...request, id });
    return id;
  }

  /** Sends a message about a request that is still in progress. */
  send(message: Extract<ToPreview, { type: 'acknowledge' | 'cancel' }>): void {
    if (this.#pending.has(message.id)) this.#process?.send(message);
  }

  /** Shuts the process down at once; requests in progress fail. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const ended = this.#process?.exited;
    this.#shutDown('service stops');
    await ended;
    await this.#removing;
  }

  #startProcess(): WorkerProcess<ToPreview, FromPreview> {
    const { scriptPath, environment, timing, maxMemoryMb, log } = this.#options;
    this.#answered = 0;
    const started: WorkerProcess<ToPreview, FromPreview> = new WorkerProcess({
      scriptPath,
      environment,
      serialization: 'advanced',
      // A person waits for these frames, unlike for renders.
      niceness: 5,
      checkIntervalMs: timing.checkIntervalMs,
      heartbeatTimeoutMs: timing.heartbeatTimeoutMs,
      memoryMb: maxMemoryMb,
      isBusy: () => this.#pending.size > 0,
      onMessage: (message) => this.#receive(message),
      onLoss: ({ detail }) => this.#detach(started, detail, true),
    });
    log.info({ pid: started.pid }, 'preview process started');
    return started;
  }

  #receive(message: FromPreview): void {
    if (message.type === 'ready' || message.type === 'alive') return;
    const receive = this.#pending.get(message.id);
    if (message.type === 'done' || message.type === 'failed') this.#finish(message.id);
    receive?.(message);
  }

  #finish(id: number): void {
    if (!this.#pending.delete(id)) return;
    this.#answered += 1;
    if (this.#pending.size > 0) return;
    if (this.#answered >= this.#options.maxRequestsPerProcess) this.#shutDown('request limit reached');
    else this.#idleTimer = setTimeout(() => this.#shutDown('idle'), this.#options.timing.idleTimeoutMs).unref();
  }

  /** Lets the process stop its own children: its browser is not in its process group. */
  #shutDown(reason: string): void {
    const stopping = this.#process;
    if (stopping === undefined) return;
    void stopping.stop(() => stopping.send({ type: 'shutdown' }), this.#options.timing.shutdownTimeoutMs);
    this.#detach(stopping, reason, false);
  }

  /** The next request starts a new process. */
  #detach(detached: WorkerProcess<ToPreview, FromPreview>, reason: string, isLost: boolean): void {
    if (this.#process !== detached) return;
    this.#process = undefined;
    clearTimeout(this.#idleTimer);
    const unfinished = [...this.#pending];
    this.#pending.clear();
    const { log } = this.#options;
    const { pid, exited } = detached;
    if (isLost || unfinished.length > 0) log.warn({ pid, reason, requests: unfinished.length }, 'preview process failed');
    else log.info({ pid, reason }, 'preview process stopped');
    this.#removing = Promise.all([this.#removing, exited.then(() => this.#removeFolder(pid))]);
    const error = { code: 'INTERNAL_ERROR' as const, message: 'The preview process stopped while it drew this preview. Try again.' };
    for (const [id, receive] of unfinished) receive({ type: 'failed', id, error });
  }

  async #removeFolder(pid: number | undefined): Promise<void> {
    if (pid === undefined) return;
    // A browser whose parent was killed exits a moment later and writes until then.
    const withRetries = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
    await rm(join(this.#options.workDir, `${previewFolderPrefix}${pid}`), withRetries).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'failed to remove the folder of a preview process'),
    );
  }
}

/** The folder of a process in the folder for temporary files is this prefix and its id. */
export const previewFolderPrefix = 'preview-';

/** Restores the error of a `failed` message. */
export function toAppError({ error }: Extract<FromPreview, { type: 'failed' }>): AppError {
  const { code, message, path, detail } = error;
  // The client has to change a movie that cannot be drawn, so the status is 422 and not a server error.
  const status = code === 'RENDER_FAILED' ? { status: 422 } : {};
  return new AppError(code, { message, ...(path !== undefined && { path }), ...(detail !== undefined && { detail }), ...status });
}
