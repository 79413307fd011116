import { setTimeout as sleep } from 'node:timers/promises';
import { type JobStore, type Log, PollLoop, retryWhileUnavailable } from '../../jobs/index.js';
import { parseMovie } from '../../script/index.js';
import type { Storage } from '../../storage/index.js';
import { deliverExports, type ExportFile, type ExportOptions } from '../exports/index.js';
import type { DeliveryRun, DueExports, ExportStore, OpenTarget } from './export-store.js';

/** Dependencies and settings of `ExportRunner`. */
export interface ExportRunnerOptions extends Omit<ExportOptions, 'clock' | 'signal'> {
  store: ExportStore;
  jobs: Pick<JobStore, 'find' | 'findScript'>;
  storage: Storage;
  outputUri: (outputName: string) => string;
  clock: { now(): number; monotonic(): number };
  log: Log;
}

const pollMs = 1000;
/** Jobs whose exports are delivered at the same time. */
const maxConcurrentJobs = 8;
/** Prevents one account with hanging servers from blocking the others. */
const maxPerAccount = 2;

/** Delivers the exports of completed jobs: the targets of one job in order, several jobs concurrently. */
export class ExportRunner {
  readonly #options: ExportRunnerOptions;
  readonly #loop: PollLoop;
  readonly #running = new Map<string, { accountId: string; ended: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(options: ExportRunnerOptions) {
    this.#options = options;
    this.#loop = new PollLoop({
      poll: () => this.#startDue(),
      pollMs,
      onError: (error) => options.log.error({ err: error }, 'failed to query pending exports'),
    });
  }

  /** Starts polling for pending exports. */
  start(): void {
    this.#loop.start();
  }

  /** Polls now, because exports may have become due. */
  notify(): void {
    this.#loop.notify();
  }

  /** Waits up to `graceMs` for running deliveries, then aborts them; they restart at the next start of the service. */
  async stop(graceMs: number): Promise<void> {
    await this.#loop.stopWithin(
      graceMs,
      () => this.#running.values(),
      () => this.#stopping.abort(),
    );
  }

  async #startDue(): Promise<void> {
    while (this.#running.size < maxConcurrentJobs) {
      const runs = [...this.#running.values()];
      const full = runs.map((run) => run.accountId).filter((id) => runs.filter((run) => run.accountId === id).length >= maxPerAccount);
      const [due] = await this.#options.store.listDue({ accountIds: [...new Set(full)] }, 1);
      if (due === undefined) return;
      const run = await this.#options.store.beginRun(due.jobId);
      if (run !== undefined) this.#startRun(due, run);
    }
  }

  #startRun(due: DueExports, run: DeliveryRun): void {
    const ended = this.#options.store
      .withLease(run.lease, (lost) => this.#run(due, run, AbortSignal.any([lost, this.#stopping.signal])))
      .catch((error: unknown) => this.#options.log.error({ err: error, job_id: due.jobId }, 'failed to deliver exports; retrying'))
      .finally(() => {
        this.#running.delete(due.jobId);
      });
    this.#running.set(due.jobId, { accountId: due.accountId, ended });
    // Frees a slot: other jobs may start at once.
    void ended.then(() => this.notify());
  }

  async #run({ jobId, accountId }: DueExports, { lease, targets }: DeliveryRun, signal: AbortSignal): Promise<void> {
    const { store, log } = this.#options;
    await using file = await this.#openFile(accountId, jobId);
    let written = Promise.resolve();
    const record = (ordinal: number, result: Parameters<ExportStore['recordResult']>[2]): void => {
      const fields = { job_id: jobId, account_id: accountId, type: targets.find((open) => open.ordinal === ordinal)?.target.type, attempts: result.attempts };
      if (result.status === 'delivered') log.info({ ...fields, location: result.location }, 'export delivered');
      else log.warn({ ...fields, reason: result.message }, 'export failed');
      written = written.then(async () => {
        const isRecorded = await retryWhileUnavailable(() => store.recordResult(lease, ordinal, result), signal);
        if (!isRecorded) log.warn(fields, 'the lease of an export was lost; another run decides its result');
      });
    };
    if (file === undefined) {
      for (const { ordinal } of targets) record(ordinal, { status: 'failed', attempts: 0, message: 'The finished file no longer exists.' });
    } else {
      const stopped = await this.#deliver(targets, file, signal, record);
      if (stopped) written = written.then(() => store.releaseRun(lease));
    }
    await written;
    await store
      .purgeSecrets()
      .catch((error: unknown) =>
        log.error({ err: error, job_id: jobId }, 'failed to purge export secrets from the database log; retrying after the next export'),
      );
  }

  /** Returns true when the service stopped, or the lease was lost, before all targets were delivered. */
  async #deliver(
    targets: readonly OpenTarget[],
    file: ExportFile,
    signal: AbortSignal,
    decide: (ordinal: number, result: Parameters<ExportStore['recordResult']>[2]) => void,
  ): Promise<boolean> {
    const { outbound, mail, youtube, idleMs } = this.#options;
    const exportOptions: ExportOptions = {
      outbound,
      mail,
      youtube,
      ...(idleMs !== undefined && { idleMs }),
      clock: { sleep: (ms, signal) => sleep(ms, undefined, { signal }).then(undefined, () => {}) },
      signal,
    };
    try {
      await deliverExports(
        targets.map((open) => open.target),
        file,
        exportOptions,
        (result, index) => decide(targets[index]?.ordinal ?? index, result),
      );
      return false;
    } catch (error) {
      if (!signal.aborted) throw error;
      return true;
    }
  }

  async #openFile(accountId: string, jobId: string): Promise<(ExportFile & AsyncDisposable) | undefined> {
    const { jobs, storage, outputUri } = this.#options;
    const job = await jobs.find(accountId, jobId);
    const name = job?.outputName ?? undefined;
    const localFile = name === undefined ? undefined : await storage.openLocal(name);
    if (name === undefined || localFile === undefined) return undefined;
    const metadata = describeScript(await jobs.findScript(jobId));
    return {
      ...localFile,
      name: `${jobId}.mp4`,
      downloadUrl: outputUri(name),
      seed: name,
      completedAtMs: Date.parse(job?.finishedAt ?? ''),
      job: { id: jobId, durationSeconds: job?.durationSeconds ?? 0, ...metadata },
    };
  }
}

/** The script's metadata that webhook targets receive. */
function describeScript(script: unknown): Pick<ExportFile['job'], 'width' | 'height' | 'scriptId' | 'clientData'> {
  const { exports: _, ...rest } = script as Record<string, unknown>;
  const { width, height, id, clientData } = parseMovie(rest);
  return { width, height, ...(id !== undefined && { scriptId: id }), ...(clientData !== undefined && { clientData }) };
}
