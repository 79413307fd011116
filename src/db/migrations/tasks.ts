import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialects.js';

/**
 * Tasks of distributed movies and the hosts that render them. Only on PostgreSQL, because hosts share nothing else; their times are compared by
 * the server's clock, so they are of its type. Jobs that are open get their tasks from the first host that runs this version.
 * `job_id` is no foreign key: its check would lock the job after the task, against the order of locks.
 */
export async function createTasks(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  await db.schema
    .createTable('tasks')
    .addColumn('id', 'bigserial', (column) => column.primaryKey())
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('segment', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('host_group', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('run', 'text')
    .addColumn('tag', 'double precision', (column) => column.notNull())
    .addColumn('cost', 'double precision', (column) => column.notNull())
    .addColumn('plan', 'text')
    .addColumn('open_segments', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('ready_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('claim', 'text')
    .addColumn('lease_expires_at', 'timestamptz')
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('host_losses', 'integer', (column) => column.notNull().defaultTo(0))
    .addUniqueConstraint('tasks_once', ['job_id', 'segment'])
    .execute();
  for (const index of [
    "tasks_next on tasks (host_group, tag, id) where claim is null and open_segments = 0 and kind <> 'cleanup'",
    "tasks_started on tasks (tag) where claim is not null and kind <> 'stitch'",
    'tasks_leased on tasks (lease_expires_at) where claim is not null',
    'tasks_claim on tasks (claim) where claim is not null',
    "tasks_account on tasks (account_id, (tag + cost)) where segment < 0 and kind <> 'cleanup'",
  ]) {
    await sql.raw(`create index ${index}`).execute(db);
  }
  // Rows live for seconds: without frequent cleaning the indexes grow with dead ones.
  await sql`alter table tasks set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`.execute(db);
  await db.schema
    .createTable('render_hosts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('host_group', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
    .addColumn('has_left', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute();
}
