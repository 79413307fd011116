import { setTimeout as sleep } from 'node:timers/promises';
import { type JobStore, type Log, PollLoop } from '../../jobs/index.js';
import { parseMovie } from '../../script/index.js';
import type { Storage } from '../../storage/index.js';
import { deliverExports, type ExportFile, type ExportOptions } from '../exports/index.js';
import type { DueExports, ExportStore, OpenTarget } from './export-store.js';

export interface ExportRunnerOptions extends Omit<ExportOptions, 'clock' | 'random' | 'signal'> {
  store: ExportStore;
  jobs: Pick<JobStore, 'find' | 'findScript'>;
  storage: Storage;
  outputUri: (outputName: string) => string;
  clock: { now(): number };
  log: Log;
}

const pollMs = 1000;
/** Jobs at a time. */
const maxInHand = 8;
/** So that one account whose servers hang leaves room for the others. */
const maxPerAccount = 2;

/** Delivers the exports of completed jobs: the targets of one job in order, several jobs at a time. */
export class ExportRunner {
  readonly #parts: ExportRunnerOptions;
  readonly #loop: PollLoop;
  readonly #inHand = new Map<string, { accountId: string; ended: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(parts: ExportRunnerOptions) {
    this.#parts = parts;
    this.#loop = new PollLoop({
      poll: () => this.#beginDue(),
      pollMs,
      onError: (error) => parts.log.error({ err: error }, 'exports that are owed could not be looked for'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be exports to deliver. */
  notify(): void {
    this.#loop.notify();
  }

  /** Deliveries in hand may end within the time; the others begin anew at the next start. */
  async stop(graceMs: number): Promise<void> {
    await this.#loop.stopWithin(
      graceMs,
      () => this.#inHand.values(),
      () => this.#stopping.abort(),
    );
  }

  async #beginDue(): Promise<void> {
    while (this.#inHand.size < maxInHand) {
      const runs = [...this.#inHand.values()];
      const full = runs.map((run) => run.accountId).filter((id) => runs.filter((run) => run.accountId === id).length >= maxPerAccount);
      const [due] = await this.#parts.store.listDue({ jobIds: [...this.#inHand.keys()], accountIds: [...new Set(full)] }, 1);
      if (due === undefined) return;
      const targets = await this.#parts.store.beginRun(due.jobId);
      if (targets.length > 0) this.#begin(due, targets);
    }
  }

  #begin(due: DueExports, targets: readonly OpenTarget[]): void {
    const ended = this.#parts.store
      .withLease(due.jobId, () => this.#run(due, targets))
      .catch((error: unknown) => this.#parts.log.error({ err: error, job_id: due.jobId }, 'exports could not be delivered; they are begun anew'))
      .finally(() => {
        this.#inHand.delete(due.jobId);
      });
    this.#inHand.set(due.jobId, { accountId: due.accountId, ended });
    // A run that broke off waits for the next poll; one that is done makes room at once.
    void ended.then(() => this.notify());
  }

  async #run({ jobId, accountId }: DueExports, targets: readonly OpenTarget[]): Promise<void> {
    const { store, log } = this.#parts;
    await using file = await this.#openFile(accountId, jobId);
    let written = Promise.resolve();
    const decide = (ordinal: number, result: Parameters<ExportStore['recordResult']>[2]): void => {
      const facts = { job_id: jobId, account_id: accountId, type: targets.find((open) => open.ordinal === ordinal)?.target.type, attempts: result.attempts };
      if (result.status === 'delivered') log.info({ ...facts, location: result.location }, 'an export is delivered');
      else log.warn({ ...facts, reason: result.message }, 'an export failed');
      written = written.then(() => store.recordResult(jobId, ordinal, result));
    };
    if (file === undefined) {
      for (const { ordinal } of targets) decide(ordinal, { status: 'failed', attempts: 0, message: 'The finished file is no longer there.' });
    } else {
      const stopped = await this.#deliver(targets, file, decide);
      if (stopped) written = written.then(() => store.releaseRun(jobId));
    }
    await written;
    await store
      .purgeSecrets()
      .catch((error: unknown) => log.error({ err: error, job_id: jobId }, 'secrets of exports stay in the log of the database for now'));
  }

  /** True: the service stops, and targets are left. */
  async #deliver(
    targets: readonly OpenTarget[],
    file: ExportFile,
    decide: (ordinal: number, result: Parameters<ExportStore['recordResult']>[2]) => void,
  ): Promise<boolean> {
    const { outbound, mail, youtube, idleMs, clock } = this.#parts;
    const parts: ExportOptions = {
      outbound,
      mail,
      youtube,
      ...(idleMs !== undefined && { idleMs }),
      random: Math.random,
      clock: { now: () => clock.now(), sleep: (ms, signal) => sleep(ms, undefined, { signal }).then(undefined, () => {}) },
      signal: this.#stopping.signal,
    };
    try {
      await deliverExports(
        targets.map((open) => open.target),
        file,
        parts,
        (result, index) => decide(targets[index]?.ordinal ?? index, result),
      );
      return false;
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
      return true;
    }
  }

  async #openFile(accountId: string, jobId: string): Promise<(ExportFile & AsyncDisposable) | undefined> {
    const { jobs, storage, outputUri } = this.#parts;
    const job = await jobs.find(accountId, jobId);
    const name = job?.outputName ?? undefined;
    const lent = name === undefined ? undefined : await storage.openLocal(name);
    if (name === undefined || lent === undefined) return undefined;
    const facts = describeScript(await jobs.findScript(jobId));
    return {
      ...lent,
      name: `${jobId}.mp4`,
      downloadUrl: outputUri(name),
      job: { id: jobId, durationSeconds: job?.durationSeconds ?? 0, ...facts },
    };
  }
}

/** What webhook targets are told of the script. */
function describeScript(script: unknown): Pick<ExportFile['job'], 'width' | 'height' | 'scriptId' | 'clientData'> {
  const { exports: _, ...rest } = script as Record<string, unknown>;
  const { width, height, id, clientData } = parseMovie(rest);
  return { width, height, ...(id !== undefined && { scriptId: id }), ...(clientData !== undefined && { clientData }) };
}
