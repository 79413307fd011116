import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../engine/child-processes/index.js';
import { AppError } from '../errors/index.js';
import type { DrawWish, PreviewFacts, PreviewPicture } from './preview-protocol.js';
import { type Ask, errorOf, type PreviewLog, type PreviewMessage, PreviewSlot, type PreviewTiming } from './preview-slot.js';

export interface PreviewRequest {
  /** What one account's previews have fetched and drawn is for its own alone. */
  accountId: string;
  script: unknown;
}

/** Failures are AppErrors; movies that cannot be drawn fail with 422. */
export interface Previews {
  open(request: PreviewRequest, signal: AbortSignal): Promise<PreviewFacts>;
  /** Pictures in the order of the wish, drawn a little ahead of whoever takes them. Ends early when nobody takes them any more. */
  draw(request: PreviewRequest & { wish: DrawWish }, signal: AbortSignal): AsyncGenerator<PreviewPicture, void>;
  /** Of the processes that run. */
  readonly pids: number[];
  close(): Promise<void>;
}

export interface PreviewsParts {
  /** Processes at most; 0: there are no previews. */
  workers: number;
  scriptPath: string;
  environment: Readonly<Record<string, string>>;
  /** For temporary files. */
  workDir: string;
  log: PreviewLog;
  /** Of each process itself; what it starts has limits of its own. */
  memoryMb?: number;
  timing?: Partial<PreviewTiming>;
}

const previewTiming: Readonly<PreviewTiming> = Object.freeze({ idleMs: 60_000, silentMs: 30_000, lookMs: 1000, endMs: 5000 });
/** Some 150 are the rule. */
const processMemoryMb = 1536;
const requestsPerProcess = 5000;
/** Of one process, whoever asks: beyond that, waiting is of no use to anybody. */
const mostPending = 64;
/** Whose previews are drawn where is remembered for so many accounts. */
const mostAccounts = 1000;

export function createPreviews(parts: PreviewsParts): Previews {
  return new Pool(parts);
}

class Pool implements Previews {
  readonly #slots: PreviewSlot[];
  /** Where an account's movies are kept. The least recent first. */
  readonly #places = new Map<string, PreviewSlot>();
  readonly #prepared: Promise<void>;
  #isClosed = false;

  constructor({ workers, timing, memoryMb = processMemoryMb, ...parts }: PreviewsParts) {
    const slotParts = { ...parts, memoryMb, requestsPerProcess, timing: { ...previewTiming, ...timing } };
    this.#slots = Array.from({ length: workers }, () => new PreviewSlot(slotParts));
    this.#prepared = workers === 0 ? Promise.resolve() : prepare(parts.workDir);
    this.#prepared.catch(() => {});
  }

  get pids(): number[] {
    return this.#slots.flatMap(({ pid }) => pid ?? []);
  }

  async open({ accountId, script }: PreviewRequest, signal: AbortSignal): Promise<PreviewFacts> {
    for await (const message of this.#ask({ type: 'open', accountId, script }, signal)) {
      if (message.type === 'opened') return message.facts;
    }
    throw new AppError('INTERNAL_ERROR', { detail: 'a preview process ended a request without an answer' });
  }

  async *draw({ accountId, script, wish }: PreviewRequest & { wish: DrawWish }, signal: AbortSignal): AsyncGenerator<PreviewPicture, void> {
    for await (const message of this.#ask({ type: 'draw', accountId, script, wish }, signal)) {
      if (message.type === 'picture') yield message.picture;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  /** The messages of a request up to its end; throws what it failed with. */
  async *#ask(request: Ask, signal: AbortSignal): AsyncGenerator<PreviewMessage, void> {
    await this.#prepared;
    signal.throwIfAborted();
    const slot = this.#placeOf(request.accountId);
    const messages: PreviewMessage[] = [];
    let wake = (): void => {};
    const id = slot.ask(request, (message) => {
      messages.push(message);
      wake();
    });
    let isOver = false;
    const stop = (): void => {
      if (!isOver) slot.tell({ type: 'stop', id });
      wake();
    };
    signal.addEventListener('abort', stop, { once: true });
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
        isOver = message.type === 'done' || message.type === 'failed';
        if (message.type === 'done') return;
        if (message.type === 'failed') throw errorOf(message);
        yield message;
        slot.tell({ type: 'taken', id });
      }
    } finally {
      signal.removeEventListener('abort', stop);
      if (!isOver) slot.tell({ type: 'stop', id });
    }
  }

  /** The process that has the account's media already, else the one with the least to do. */
  #placeOf(accountId: string): PreviewSlot {
    const [first, ...others] = this.#slots;
    if (first === undefined) throw new AppError('FORBIDDEN', { message: 'Previews are turned off on this host (FRAMEWRIGHT_PREVIEW_WORKERS is 0).' });
    if (this.#isClosed) throw new AppError('INTERNAL_ERROR', { message: 'The service is stopping.' });
    const known = this.#places.get(accountId);
    const slot = known ?? others.reduce((best, next) => (next.load < best.load ? next : best), first);
    this.#places.delete(accountId);
    this.#places.set(accountId, slot);
    const [oldest] = this.#places.keys();
    if (this.#places.size > mostAccounts && oldest !== undefined) this.#places.delete(oldest);
    if (slot.load < mostPending) return slot;
    throw new AppError('RATE_LIMIT_EXCEEDED', { message: 'This host has more previews to draw than it can at the moment. Try again in a second.' });
  }
}

/** Folders of processes that are no more go. */
async function prepare(workDir: string): Promise<void> {
  await mkdir(workDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(workDir)) {
    const owner = Number(/^preview-(\d+)$/.exec(name)?.[1]);
    if (Number.isInteger(owner) && !isRunning(owner)) await rm(join(workDir, name), { recursive: true, force: true });
  }
}
