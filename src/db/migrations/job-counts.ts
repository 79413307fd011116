import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialects.js';

/**
 * How many jobs an account has in each state, kept by triggers: counting a million rows for every page of a list
 * would hold up the process, and a counter kept by code can be forgotten. Triggers are written otherwise for each kind of database.
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
  await (isPostgres(db) ? countInPostgres(db) : countInSqlite(db));
}

const countOne = `insert into job_counts (account_id, status, jobs) values (new.account_id, new.status, 1)
  on conflict (account_id, status) do update set jobs = job_counts.jobs + 1`;
const forgetOne = 'update job_counts set jobs = jobs - 1 where account_id = old.account_id and status = old.status';

async function countInSqlite(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`create trigger jobs_counted after insert on jobs begin ${countOne}; end`).execute(db);
  await sql.raw(`create trigger jobs_uncounted after delete on jobs begin ${forgetOne}; end`).execute(db);
  await sql.raw(`create trigger jobs_recounted after update of status on jobs when old.status <> new.status begin ${forgetOne}; ${countOne}; end`).execute(db);
}

async function countInPostgres(db: Kysely<unknown>): Promise<void> {
  const procedure = (name: string, ...statements: string[]): Promise<unknown> =>
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${statements.join('; ')}; return null; end $$`).execute(db);
  // One statement may bring many rows, and a row that one transaction changes again and again grows slower each time.
  await procedure(
    'count_jobs',
    `insert into job_counts (account_id, status, jobs) select account_id, status, count(*) from added group by account_id, status
      on conflict (account_id, status) do update set jobs = job_counts.jobs + excluded.jobs`,
  );
  await procedure('uncount_job', forgetOne);
  await procedure('recount_job', forgetOne, countOne);
  await sql.raw('create trigger jobs_counted after insert on jobs referencing new table as added for each statement execute function count_jobs()').execute(db);
  await sql.raw('create trigger jobs_uncounted after delete on jobs for each row execute function uncount_job()').execute(db);
  await sql
    .raw('create trigger jobs_recounted after update of status on jobs for each row when (old.status <> new.status) execute function recount_job()')
    .execute(db);
}
