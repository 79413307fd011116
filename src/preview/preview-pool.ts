import { mkdir } from 'node:fs/promises';
import { removeStaleFolders } from '../engine/child-processes/index.js';
import { AppError } from '../errors/index.js';
import { LruCache } from './lru-cache.js';
import type { DrawOptions, PreviewFrame, PreviewSummary } from './preview-protocol.js';
import { type NewRequest, type PreviewLog, type PreviewMessage, PreviewSlot, type PreviewTiming, previewFolderPrefix, toAppError } from './preview-slot.js';

/** A checked script and the account that sent it. */
export interface PreviewRequest {
  /** Accounts share no files, caches or engines. */
  accountId: string;
  script: unknown;
}

/** Previews of scripts. Rejects with AppError; a movie that cannot be drawn is RENDER_FAILED with status 422. */
export interface Previews {
  /** Timing and cost of a script. */
  open(request: PreviewRequest, signal: AbortSignal): Promise<PreviewSummary>;
  /** Frames in the order of the options, drawn a little ahead of the caller. Returning early cancels the rest. */
  draw(request: PreviewRequest & { options: DrawOptions }, signal: AbortSignal): AsyncGenerator<PreviewFrame, void>;
  /** Process ids of the running preview processes. */
  readonly pids: number[];
  /** Stops all processes; requests in progress fail. */
  close(): Promise<void>;
}

/** What the preview pool needs. */
export interface PreviewPoolOptions {
  /** 0 turns previews off. */
  maxProcesses: number;
  scriptPath: string;
  environment: Readonly<Record<string, string>>;
  /** Folder for temporary files. */
  workDir: string;
  log: PreviewLog;
  /** Resident memory of each process itself; its children have limits of their own. */
  maxMemoryMb?: number;
  timing?: Partial<PreviewTiming>;
}

const previewTiming: Readonly<PreviewTiming> = Object.freeze({
  idleTimeoutMs: 60_000,
  heartbeatTimeoutMs: 30_000,
  checkIntervalMs: 1000,
  shutdownTimeoutMs: 5000,
});
/** A typical process uses 150 MB. */
const defaultMaxMemoryMb = 1536;
const maxRequestsPerProcess = 5000;
/** Requests in progress in one process, of all accounts together. */
const maxPending = 64;
/** Accounts whose slot is remembered. */
const maxAccounts = 1000;

/** Creates the pool; processes start with the first requests. */
export function createPreviews(options: PreviewPoolOptions): Previews {
  return new PreviewPool(options);
}

class PreviewPool implements Previews {
  readonly #slots: PreviewSlot[];
  /** The slot that has an account's media. */
  readonly #slotsByAccount = new LruCache<PreviewSlot>(maxAccounts);
  readonly #prepared: Promise<void>;
  #isClosed = false;

  constructor({ maxProcesses, timing, maxMemoryMb = defaultMaxMemoryMb, ...options }: PreviewPoolOptions) {
    const slotOptions = { ...options, maxMemoryMb, maxRequestsPerProcess, timing: { ...previewTiming, ...timing } };
    this.#slots = Array.from({ length: maxProcesses }, () => new PreviewSlot(slotOptions));
    this.#prepared = maxProcesses === 0 ? Promise.resolve() : prepareFolder(options.workDir);
    this.#prepared.catch(() => {});
  }

  get pids(): number[] {
    return this.#slots.flatMap(({ pid }) => pid ?? []);
  }

  async open({ accountId, script }: PreviewRequest, signal: AbortSignal): Promise<PreviewSummary> {
    for await (const message of this.#request({ type: 'open', accountId, script }, signal)) {
      if (message.type === 'opened') return message.summary;
    }
    throw new AppError('INTERNAL_ERROR', { detail: 'a preview process ended a request without an answer' });
  }

  async *draw({ accountId, script, options }: PreviewRequest & { options: DrawOptions }, signal: AbortSignal): AsyncGenerator<PreviewFrame, void> {
    for await (const message of this.#request({ type: 'draw', accountId, script, options }, signal)) {
      if (message.type === 'frame') yield message.frame;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  /** The messages of a request up to its end; throws the error it failed with. */
  async *#request(request: NewRequest, signal: AbortSignal): AsyncGenerator<PreviewMessage, void> {
    await this.#prepared;
    signal.throwIfAborted();
    const slot = this.#slotFor(request.accountId);
    const messages: PreviewMessage[] = [];
    let wake = (): void => {};
    const id = slot.start(request, (message) => {
      messages.push(message);
      wake();
    });
    let isSettled = false;
    const cancel = (): void => {
      if (!isSettled) slot.send({ type: 'cancel', id });
      wake();
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const message = messages.shift();
        if (message === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        isSettled = message.type === 'done' || message.type === 'failed';
        if (message.type === 'done') return;
        if (message.type === 'failed') throw toAppError(message);
        yield message;
        slot.send({ type: 'acknowledge', id });
      }
    } finally {
      signal.removeEventListener('abort', cancel);
      if (!isSettled) slot.send({ type: 'cancel', id });
    }
  }

  /** The slot that has the account's media already, or else the one with the fewest requests. */
  #slotFor(accountId: string): PreviewSlot {
    const [first, ...others] = this.#slots;
    if (first === undefined) throw new AppError('FORBIDDEN', { message: 'Previews are disabled on this host (FRAMEWRIGHT_PREVIEW_WORKERS is 0).' });
    if (this.#isClosed) throw new AppError('INTERNAL_ERROR', { message: 'The service is stopping.' });
    const slot =
      this.#slotsByAccount.get(accountId) ??
      this.#slotsByAccount.set(
        accountId,
        others.reduce((best, next) => (next.load < best.load ? next : best), first),
      );
    if (slot.load < maxPending) return slot;
    throw new AppError('RATE_LIMIT_EXCEEDED', { message: 'Too many previews are in progress on this host. Try again in a second.' });
  }
}

/** Creates the folder for temporary files and removes what processes that no longer run left in it. */
async function prepareFolder(workDir: string): Promise<void> {
  await mkdir(workDir, { recursive: true, mode: 0o700 });
  removeStaleFolders(workDir, previewFolderPrefix);
}
