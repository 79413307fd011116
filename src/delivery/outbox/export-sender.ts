import { setTimeout as sleep } from 'node:timers/promises';
import type { JobStore, Log } from '../../jobs/index.js';
import { parseMovie } from '../../script/index.js';
import type { Storage } from '../../storage/index.js';
import { deliverExports, type ExportFile, type ExportOptions, type ExportTarget } from '../exports/index.js';
import type { RecordOutcome, Sender } from './delivery-runner.js';
import type { Claim, ClaimPolicy, DeliveryOutcome } from './delivery-store.js';

/** Dependencies and settings of `ExportSender`. */
export interface ExportSenderOptions extends Omit<ExportOptions, 'clock' | 'signal'> {
  jobs: Pick<JobStore, 'find' | 'findScript'>;
  storage: Storage;
  outputUri: (outputName: string) => string;
  /** Removes the credentials of ended exports from the log files of the database. */
  purgeSecrets: () => Promise<void>;
  log: Log;
  /** Lifetime of a lease without renewal; default 60 s. */
  leaseMs?: number | undefined;
}

/** Maximum number of runs that a crash of the service may interrupt before the target fails. */
const maxRuns = 3;

/** Delivers the file of a job to its export targets, one after the other. */
export class ExportSender implements Sender {
  readonly #options: ExportSenderOptions;
  readonly policy: ClaimPolicy;
  // The limit per account prevents one with hanging servers from blocking the others.
  readonly limits = { total: 8, perAccount: 2, perHost: Number.POSITIVE_INFINITY };
  readonly countsStoppedRuns = false;

  constructor(options: ExportSenderOptions) {
    this.#options = options;
    this.policy = {
      kind: 'export',
      leaseMs: options.leaseMs ?? 60_000,
      maxRuns,
      exhaustedMessage: `The service stopped unexpectedly in each of ${maxRuns} deliveries.`,
      retryDelaysMs: [],
    };
  }

  async send(claim: Claim, signal: AbortSignal, record: RecordOutcome): Promise<void> {
    const { log, purgeSecrets, jobs: _jobs, storage: _storage, outputUri: _outputUri, leaseMs: _leaseMs, ...shared } = this.#options;
    const { jobId, accountId, deliveries } = claim;
    await using file = await this.#openFile(accountId, jobId);
    let recorded = Promise.resolve();
    const conclude = (index: number, outcome: DeliveryOutcome): void => {
      const { ordinal = index, type } = deliveries[index] ?? {};
      const fields = { job_id: jobId, account_id: accountId, type, attempts: outcome.attempts };
      if (outcome.status === 'delivered') log.info({ ...fields, location: outcome.location }, 'export delivered');
      else log.warn({ ...fields, reason: outcome.message }, 'export failed');
      recorded = recorded.then(() => record(ordinal, outcome));
      // Awaited only after the last target: prevents an unhandled rejection until then.
      recorded.catch(() => {});
    };
    try {
      if (file === undefined) {
        for (const index of deliveries.keys()) conclude(index, { status: 'failed', attempts: 0, message: 'The finished file no longer exists.' });
      } else {
        const targets = deliveries.map(({ target }) => JSON.parse(target) as ExportTarget);
        const clock = { sleep: (ms: number, aborted: AbortSignal) => sleep(ms, undefined, { signal: aborted }).then(undefined, () => {}) };
        await deliverExports(targets, file, { ...shared, clock, signal }, (result, index) => conclude(index, result));
      }
    } finally {
      await recorded;
      await purgeSecrets().catch((error: unknown) =>
        log.error({ err: error, job_id: jobId }, 'failed to purge export secrets from the database log; retrying after the next export'),
      );
    }
  }

  async #openFile(accountId: string, jobId: string): Promise<(ExportFile & AsyncDisposable) | undefined> {
    const { jobs, storage, outputUri } = this.#options;
    const job = await jobs.find(accountId, jobId);
    const name = job?.outputName ?? undefined;
    const localFile = name === undefined ? undefined : await storage.openLocal(name);
    if (name === undefined || localFile === undefined) return undefined;
    const { clientData } = job ?? {};
    const metadata = { ...describeScript(await jobs.findScript(jobId)), ...(clientData !== undefined && { clientData }) };
    return {
      ...localFile,
      name: `${jobId}${name.slice(name.lastIndexOf('.'))}`,
      downloadUrl: outputUri(name),
      seed: name,
      completedAtMs: Date.parse(job?.finishedAt ?? ''),
      job: { id: jobId, durationSeconds: job?.durationSeconds ?? 0, ...metadata },
    };
  }
}

/** The script's metadata that webhook targets receive. */
function describeScript(script: unknown): Pick<ExportFile['job'], 'width' | 'height' | 'scriptId'> {
  const { exports: _, ...rest } = script as Record<string, unknown>;
  const { width, height, id } = parseMovie(rest);
  return { width, height, ...(id !== undefined && { scriptId: id }) };
}
