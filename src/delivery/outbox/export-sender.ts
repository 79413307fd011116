import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobStore, Log } from '../../jobs/index.js';
import { parseMovie } from '../../script/index.js';
import { mimeTypeOf, outputFolder, publicName, type Storage } from '../../storage/index.js';
import { deliverExports, type ExportFile, type ExportOptions, type ExportPart, type ExportTarget } from '../exports/index.js';
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

/** Delivers the files of a job to its export targets, one after the other. */
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
    const targets = deliveries.map(({ target }) => JSON.parse(target) as ExportTarget);
    await using files = await this.#openFiles(accountId, jobId, new Set(targets.map(({ output }) => output)));
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
      const clock = { sleep: (ms: number, aborted: AbortSignal) => sleep(ms, undefined, { signal: aborted }).then(undefined, () => {}) };
      await deliverExports(
        targets,
        ({ output }) => files.find(output),
        { ...shared, clock, signal },
        (result, index) => conclude(index, result),
      );
    } finally {
      await recorded;
      await purgeSecrets().catch((error: unknown) =>
        log.error({ err: error, job_id: jobId }, 'failed to purge export secrets from the database log; retrying after the next export'),
      );
    }
  }

  /** Opens the wanted outputs of a job; undefined is the primary one. */
  async #openFiles(accountId: string, jobId: string, wanted: ReadonlySet<string | undefined>): Promise<OpenFiles> {
    const { jobs, storage, outputUri } = this.#options;
    const job = await jobs.find(accountId, jobId);
    const files = new OpenFiles();
    if (job === undefined || job.outputName === null) return files;
    const { clientData, outputName } = job;
    const metadata = { ...describeScript(await jobs.findScript(jobId)), ...(clientData !== undefined && { clientData }) };
    try {
      for (const output of wanted) {
        const name = output === undefined ? outputName : job.outputs.find((one) => one.name === output)?.file;
        if (name === undefined) continue;
        const opened = await files.open(name, storage);
        if (opened === undefined) continue;
        const folder = outputFolder(publicName(name));
        files.add(output, {
          ...opened,
          name: folder ?? publicName(name),
          mimeType: mimeTypeOf(name),
          downloadUrl: outputUri(name),
          seed: name,
          completedAtMs: Date.parse(job.finishedAt ?? ''),
          job: { id: jobId, durationSeconds: job.durationSeconds ?? 0, ...metadata },
        });
      }
    } catch (error) {
      await files[Symbol.asyncDispose]();
      throw error;
    }
    return files;
  }
}

/** Local files by output name, until they are disposed of. */
class OpenFiles implements AsyncDisposable {
  readonly #files = new Map<string | undefined, ExportFile>();
  readonly #opened: AsyncDisposable[] = [];

  /** Opens an output with all files of its folder; undefined if one no longer exists. */
  async open(name: string, storage: Storage): Promise<Pick<ExportFile, 'path' | 'sizeBytes' | 'parts'> | undefined> {
    const parts: ExportPart[] = [];
    // The file that refers to the others comes last.
    for (const file of [...(await storage.filesOf(name)).filter((one) => one !== name), name]) {
      const local = await storage.openLocal(file);
      if (local === undefined) return undefined;
      this.#opened.push(local);
      parts.push({ path: local.path, sizeBytes: local.sizeBytes, mimeType: mimeTypeOf(file), name: basename(file) });
    }
    const entry = parts.at(-1);
    if (entry === undefined) return undefined;
    return { path: entry.path, sizeBytes: entry.sizeBytes, ...(outputFolder(name) !== undefined && { parts }) };
  }

  add(output: string | undefined, file: ExportFile): void {
    this.#files.set(output, file);
  }

  find(output: string | undefined): ExportFile | undefined {
    return this.#files.get(output);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#opened) await file[Symbol.asyncDispose]();
  }
}

/** The script's metadata that webhook targets receive. */
function describeScript(script: unknown): Pick<ExportFile['job'], 'width' | 'height' | 'scriptId'> {
  const { exports: _, ...rest } = script as Record<string, unknown>;
  const { width, height, id } = parseMovie(rest);
  return { width, height, ...(id !== undefined && { scriptId: id }) };
}
