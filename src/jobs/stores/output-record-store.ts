import type { ExpressionBuilder } from 'kysely';
import type { Database, JobRow, Kysely } from '../../db/index.js';
import type { JobStatus } from '../job.js';
import { storedFiles } from './job-rows.js';

/** The job that an output file belongs to. */
export interface OutputRecord {
  jobId: string;
  status: JobStatus;
  /** Name of the primary file that the job has or writes; null if there is none. */
  outputName: string | null;
  removedAt: string | null;
}

/** An output past its retention period. */
export interface ExpiredOutput {
  jobId: string;
  /** Names of all its files. */
  files: readonly string[];
  /** Of all files together. */
  sizeBytes: number;
}

/** Valid JSON, as every script is. */
const clearedScript = 'null';

/** Queries on output files for retention. */
export class OutputRecordStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Lists outputs of jobs of this mode completed before a time, oldest first, except those with pending exports. */
  async listExpired(mode: JobRow['mode'], before: string, limit: number): Promise<ExpiredOutput[]> {
    const rows = await this.#db
      .selectFrom('jobs')
      .select(['id', 'output_name', 'outputs', 'size_bytes'])
      .where('mode', '=', mode)
      .where('output_name', 'is not', null)
      .where('output_removed_at', 'is', null)
      .where('finished_at', '<', before)
      .where('status', '=', 'completed')
      .where(hasNoPendingExports)
      .orderBy('finished_at')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ jobId: row.id, files: storedFiles(row), sizeBytes: row.size_bytes ?? 0 }));
  }

  /** Records that the outputs of these jobs were removed. */
  async markRemoved(jobIds: readonly string[], at: string): Promise<void> {
    await this.#db.updateTable('jobs').set({ output_removed_at: at }).where('id', 'in', jobIds).where('output_removed_at', 'is', null).execute();
  }

  /** Deletes the scripts of sandbox jobs that ended before a time, except those with pending exports, which need them. Returns the number of jobs, at most `limit`. */
  async clearSandboxScripts(before: string, limit: number): Promise<number> {
    const ended = this.#db
      .selectFrom('jobs')
      .select('id')
      .where('mode', '=', 'test')
      .where('status', 'in', ['completed', 'failed'])
      .where('finished_at', '<', before)
      .where('script', '<>', clearedScript)
      .where(hasNoPendingExports)
      .limit(limit);
    const cleared = await this.#db
      .updateTable('jobs')
      .set({ script: clearedScript, client_data: null, sandbox_bytes: 0 })
      .where('id', 'in', ended)
      .executeTakeFirst();
    return Number(cleared.numUpdatedRows);
  }

  /** Finds the output records of these jobs. */
  async find(jobIds: readonly string[]): Promise<OutputRecord[]> {
    const rows = await this.#db.selectFrom('jobs').select(['id', 'status', 'output_name', 'output_removed_at']).where('id', 'in', jobIds).execute();
    return rows.map((row) => ({ jobId: row.id, status: row.status, outputName: row.output_name, removedAt: row.output_removed_at }));
  }
}

function hasNoPendingExports(eb: ExpressionBuilder<Database, 'jobs'>) {
  const pending = eb
    .selectFrom('deliveries')
    .select('deliveries.job_id')
    .whereRef('deliveries.job_id', '=', 'jobs.id')
    .where('deliveries.kind', '=', 'export')
    .where('deliveries.status', 'in', ['waiting', 'pending']);
  return eb.not(eb.exists(pending));
}
