import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialects.js';

/**
 * Number of jobs by account and status, maintained by triggers: counting a million rows for each page of a list
 * would block the process, and a counter in code can be missed. Trigger syntax differs by database.
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
  await (isPostgres(db) ? createPostgresTriggers(db) : createSqliteTriggers(db));
}

const increment = `insert into job_counts (account_id, status, jobs) values (new.account_id, new.status, 1)
  on conflict (account_id, status) do update set jobs = job_counts.jobs + 1`;
const decrement = 'update job_counts set jobs = jobs - 1 where account_id = old.account_id and status = old.status';

async function createSqliteTriggers(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`create trigger jobs_counted after insert on jobs begin ${increment}; end`).execute(db);
  await sql.raw(`create trigger jobs_uncounted after delete on jobs begin ${decrement}; end`).execute(db);
  await sql.raw(`create trigger jobs_recounted after update of status on jobs when old.status <> new.status begin ${decrement}; ${increment}; end`).execute(db);
}

async function createPostgresTriggers(db: Kysely<unknown>): Promise<void> {
  const procedure = (name: string, ...statements: string[]): Promise<unknown> =>
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${statements.join('; ')}; return null; end $$`).execute(db);
  // Per statement, not per row: a row that one transaction updates repeatedly gets slower each time.
  await procedure(
    'count_jobs',
    `insert into job_counts (account_id, status, jobs) select account_id, status, count(*) from added group by account_id, status
      on conflict (account_id, status) do update set jobs = job_counts.jobs + excluded.jobs`,
  );
  await procedure('uncount_job', decrement);
  await procedure('recount_job', decrement, increment);
  await sql.raw('create trigger jobs_counted after insert on jobs referencing new table as added for each statement execute function count_jobs()').execute(db);
  await sql.raw('create trigger jobs_uncounted after delete on jobs for each row execute function uncount_job()').execute(db);
  await sql
    .raw('create trigger jobs_recounted after update of status on jobs for each row when (old.status <> new.status) execute function recount_job()')
    .execute(db);
}
