import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkerProcess } from '../engine/child-processes/index.js';
import { AppError } from '../errors/index.js';
import type { FromPreview, ToPreview } from './preview-protocol.js';

export interface PreviewLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

export interface PreviewTiming {
  /** A process that nobody asks for so long is ended. */
  idleMs: number;
  /** One that works and says nothing for so long is killed. */
  silentMs: number;
  /** How often silence and memory are looked at. */
  lookMs: number;
  /** How long one may take to end. */
  endMs: number;
}

export interface SlotParts {
  scriptPath: string;
  environment: Readonly<Record<string, string>>;
  /** Each process has a folder of its own in it, `preview-<pid>`. */
  workDir: string;
  /** Of the process itself; what it starts has limits of its own. */
  memoryMb: number;
  /** A process that has answered so many is replaced when it has nothing to do. */
  requestsPerProcess: number;
  timing: PreviewTiming;
  log: PreviewLog;
}

export type PreviewMessage = Exclude<FromPreview, { type: 'ready' | 'alive' }>;
type Asked = Extract<ToPreview, { type: 'open' | 'draw' }>;
/** As a request is made, before it has an id. */
export type Ask = Asked extends infer One ? (One extends Asked ? Omit<One, 'id'> : never) : never;

/** A place for one preview process, which is there while there is something to draw. */
export class PreviewSlot {
  readonly #parts: SlotParts;
  #process: WorkerProcess<ToPreview, FromPreview> | undefined;
  readonly #pending = new Map<number, (message: PreviewMessage) => void>();
  #lastId = 0;
  #answered = 0;
  #heardAt = 0;
  #endedBy: string | undefined;
  #idle: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  /** Processes that have ended and whose folders are being removed. */
  #leaving: Promise<unknown> = Promise.resolve();

  constructor(parts: SlotParts) {
    this.#parts = parts;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Requests under way. */
  get load(): number {
    return this.#pending.size;
  }

  /** Starts a request; every message of it goes to `receive`, the last of which is `done` or `failed`. */
  ask(request: Ask, receive: (message: PreviewMessage) => void): number {
    clearTimeout(this.#idle);
    this.#process ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    if (this.#pending.size === 0) this.#heardAt = performance.now();
    this.#pending.set(id, receive);
    this.#process.send({ ...request, id });
    return id;
  }

  tell(message: Extract<ToPreview, { type: 'taken' | 'stop' }>): void {
    if (this.#pending.has(message.id)) this.#process?.send(message);
  }

  /** At once; the requests in hand fail. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const ended = this.#process?.exited;
    this.#dismiss('the service stops');
    await ended;
    await this.#leaving;
  }

  #start(): WorkerProcess<ToPreview, FromPreview> {
    const { scriptPath, environment, timing, log } = this.#parts;
    this.#endedBy = undefined;
    this.#answered = 0;
    const started = new WorkerProcess<ToPreview, FromPreview>({
      scriptPath,
      environment,
      serialization: 'advanced',
      // Somebody sits and waits for pictures, unlike for films.
      niceness: 5,
      onMessage: (message) => this.#receive(message),
      onExit: (reason) => this.#lose(started, reason),
    });
    this.#look = setInterval(() => this.#watch(), timing.lookMs).unref();
    log.info({ pid: started.pid }, 'a preview process starts');
    return started;
  }

  #receive(message: FromPreview): void {
    this.#heardAt = performance.now();
    if (message.type === 'ready' || message.type === 'alive') return;
    const receive = this.#pending.get(message.id);
    if (message.type === 'done' || message.type === 'failed') this.#finish(message.id);
    receive?.(message);
  }

  #finish(id: number): void {
    if (!this.#pending.delete(id)) return;
    this.#answered += 1;
    if (this.#pending.size > 0) return;
    if (this.#answered >= this.#parts.requestsPerProcess) this.#dismiss('it has answered many requests');
    else this.#idle = setTimeout(() => this.#dismiss('nobody asks'), this.#parts.timing.idleMs).unref();
  }

  /** Kills a process that hangs or takes too much. */
  #watch(): void {
    const { timing, memoryMb } = this.#parts;
    const pid = this.pid;
    if (pid === undefined) return;
    const used = residentMb(pid);
    if (used > memoryMb) this.#end(`it used ${Math.round(used)} MB; ${memoryMb} are allowed`);
    else if (this.#pending.size > 0 && performance.now() - this.#heardAt > timing.silentMs) this.#end('it said nothing for too long');
  }

  #end(reason: string): void {
    this.#process?.kill();
    this.#leave(reason);
  }

  /** Lets it end what it has started, a browser among them, which is no member of its group. */
  #dismiss(reason: string): void {
    const dismissed = this.#process;
    if (dismissed === undefined) return;
    dismissed.send({ type: 'end' });
    const insist = setTimeout(() => dismissed.kill(), this.#parts.timing.endMs);
    void dismissed.exited.then(() => clearTimeout(insist));
    this.#leave(reason);
  }

  /** Who asks from now on gets another one. */
  #leave(reason: string): void {
    this.#endedBy = reason;
    if (this.#process !== undefined) this.#lose(this.#process, reason);
  }

  #lose(lost: WorkerProcess<ToPreview, FromPreview>, reason: string): void {
    if (this.#process !== lost) return;
    this.#process = undefined;
    clearInterval(this.#look);
    clearTimeout(this.#idle);
    const unfinished = [...this.#pending];
    this.#pending.clear();
    const { log } = this.#parts;
    if (this.#endedBy === undefined || unfinished.length > 0) log.warn({ pid: lost.pid, reason, requests: unfinished.length }, 'a preview process stopped');
    else log.info({ pid: lost.pid, reason }, 'a preview process is ended');
    this.#leaving = Promise.all([this.#leaving, lost.exited.then(() => this.#removeFolder(lost.pid))]);
    const error = { code: 'INTERNAL_ERROR' as const, message: 'The process that draws previews stopped while it drew this one. Try again.' };
    for (const [id, receive] of unfinished) receive({ type: 'failed', id, error });
  }

  async #removeFolder(pid: number | undefined): Promise<void> {
    if (pid === undefined) return;
    // A browser whose process was killed ends a moment later, and writes until then.
    const patiently = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
    await rm(join(this.#parts.workDir, previewFolder(pid)), patiently).catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'the folder of a preview process could not be removed'),
    );
  }
}

/** The name of a process's folder in the folder for temporary files. */
export function previewFolder(pid: number): string {
  return `preview-${pid}`;
}

function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** What a message of failure was before it was sent. */
export function errorOf({ error }: Extract<FromPreview, { type: 'failed' }>): AppError {
  const { code, message, path, detail } = error;
  // A movie that cannot be drawn is the client's to change; that a render of it would fail is no error of the service.
  const status = code === 'RENDER_FAILED' ? { status: 422 } : {};
  return new AppError(code, { message, ...(path !== undefined && { path }), ...(detail !== undefined && { detail }), ...status });
}
