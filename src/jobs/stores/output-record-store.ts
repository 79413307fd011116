import type { Database, Kysely } from '../../db/index.js';
import type { JobStatus } from '../job.js';

/** Which job a file belongs to, and how that one stands. */
export interface OutputRecord {
  jobId: string;
  status: JobStatus;
  /** The file that it has or writes; null: none. */
  outputName: string | null;
  removedAt: string | null;
}

export interface ExpiredOutput {
  jobId: string;
  name: string;
  sizeBytes: number;
}

/** The queries on finished files: which there are, and which have been removed. */
export class OutputRecordStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Files of jobs that were completed before then, the oldest first. Those that exports still need are not among them. */
  async listExpired(before: string, limit: number): Promise<ExpiredOutput[]> {
    const rows = await this.#db
      .selectFrom('jobs')
      .select(['id', 'output_name', 'size_bytes'])
      .where('output_name', 'is not', null)
      .where('output_removed_at', 'is', null)
      .where('finished_at', '<', before)
      .where('status', '=', 'completed')
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('export_deliveries')
              .select('export_deliveries.job_id')
              .whereRef('export_deliveries.job_id', '=', 'jobs.id')
              .where('export_deliveries.status', 'in', ['waiting', 'pending']),
          ),
        ),
      )
      .orderBy('finished_at')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ jobId: row.id, name: row.output_name ?? '', sizeBytes: row.size_bytes ?? 0 }));
  }

  async markRemoved(jobIds: readonly string[], at: string): Promise<void> {
    await this.#db.updateTable('jobs').set({ output_removed_at: at }).where('id', 'in', jobIds).where('output_removed_at', 'is', null).execute();
  }

  async find(jobIds: readonly string[]): Promise<OutputRecord[]> {
    const rows = await this.#db.selectFrom('jobs').select(['id', 'status', 'output_name', 'output_removed_at']).where('id', 'in', jobIds).execute();
    return rows.map((row) => ({ jobId: row.id, status: row.status, outputName: row.output_name, removedAt: row.output_removed_at }));
  }
}
