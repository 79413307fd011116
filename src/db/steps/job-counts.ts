import { type Kysely, sql } from 'kysely';

/**
 * How many jobs an account has in each state, kept by triggers: counting a million rows for every page of a list
 * would hold up the process, and a counter kept by code can be forgotten. The triggers are SQLite's own.
 */
export async function createJobCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job_counts')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('jobs', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('job_counts_once', ['account_id', 'status'])
    .execute();
  await sql`insert into job_counts (account_id, status, jobs) select account_id, status, count(*) from jobs group by account_id, status`.execute(db);
  const countOne = `insert into job_counts (account_id, status, jobs) values (new.account_id, new.status, 1)
    on conflict (account_id, status) do update set jobs = jobs + 1`;
  const forgetOne = 'update job_counts set jobs = jobs - 1 where account_id = old.account_id and status = old.status';
  await sql.raw(`create trigger jobs_counted after insert on jobs begin ${countOne}; end`).execute(db);
  await sql.raw(`create trigger jobs_uncounted after delete on jobs begin ${forgetOne}; end`).execute(db);
  await sql.raw(`create trigger jobs_recounted after update of status on jobs when old.status <> new.status begin ${forgetOne}; ${countOne}; end`).execute(db);
}
