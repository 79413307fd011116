import { type Kysely, sql } from 'kysely';
import { autoIncrementKey } from '../dialects.js';

/** Moves webhooks and exports into one table with leases and fencing tokens. Processes of earlier versions cannot use it. */
export async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', ...autoIncrementKey(db))
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('host', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('runs', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'text')
    .addColumn('token', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('holder', 'text')
    .addColumn('lease_expires_at', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('location', 'text')
    .addColumn('message', 'text')
    .addColumn('finished_at', 'text')
    .addUniqueConstraint('deliveries_once', ['job_id', 'kind', 'ordinal'])
    .execute();
  await db.schema.createIndex('deliveries_due').on('deliveries').columns(['status', 'kind', 'next_attempt_at']).execute();
  await db.schema.createIndex('deliveries_leased').on('deliveries').column('holder').where('holder', 'is not', null).execute();
  await db.schema
    .createTable('delivery_attempts')
    .addColumn('delivery_id', 'bigint', (column) => column.notNull().references('deliveries.id'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('http_status', 'integer')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('delivery_attempts_once', ['delivery_id', 'number'])
    .execute();
  await copyRows(db);
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'export_holds', 'export_deliveries']) await db.schema.dropTable(table).execute();
}

async function copyRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into deliveries (job_id, kind, ordinal, account_id, type, target, host, status, runs, token, attempts, next_attempt_at, message, finished_at)
    select w.job_id, 'webhook', 0, w.account_id, 'webhook', w.url, w.host, case w.status when 'abandoned' then 'failed' else w.status end,
      w.attempts, w.attempts, w.attempts, w.next_attempt_at, last.error,
      case when w.status in ('delivered', 'abandoned') then coalesce(last.finished_at, last.started_at) end
    from webhook_deliveries w
    join jobs on jobs.id = w.job_id
    left join webhook_attempts last on last.job_id = w.job_id and last.number = w.attempts
    order by jobs.seq`.execute(db);
  await sql`
    insert into delivery_attempts (delivery_id, number, started_at, finished_at, http_status, error)
    select d.id, a.number, a.started_at, a.finished_at, a.http_status, a.error
    from webhook_attempts a
    join deliveries d on d.job_id = a.job_id and d.kind = 'webhook'`.execute(db);
  await sql`
    insert into deliveries (job_id, kind, ordinal, account_id, type, target, status, runs, token, attempts, next_attempt_at, location, message, finished_at)
    select e.job_id, 'export', e.ordinal, e.account_id, e.type, e.target, e.status, e.runs, e.runs, e.attempts,
      case e.status when 'pending' then jobs.finished_at end, e.location, e.message, e.finished_at
    from export_deliveries e
    join jobs on jobs.id = e.job_id
    order by jobs.seq, e.ordinal`.execute(db);
}
