import { sql } from 'kysely';
import type { Database, Kysely, Transaction } from '../../db/index.js';
import { movieTags } from './task-store.js';

/** A movie with segments that no connected host can render. */
export interface OrphanedMovie {
  jobId: string;
  leaseOwner: string;
  group: string;
}

/** Timestamps of one maintenance run. */
export interface MaintenanceTimes {
  /** Now, by the database's clock (ISO 8601). */
  now: string;
  /** New end of the leases of distributed jobs (ISO 8601). */
  leaseExpiresAt: string;
  /** Leases that end before this are renewed (ISO 8601). */
  renewBefore: string;
}

/** Key of the advisory lock that one host holds while it maintains the tasks of all. */
const lockKey = 7_210_317_047;
/** Maximum movies per statement; the others follow in later runs. */
const maxMovies = 1000;
/** Maximum ended movies whose objects are deleted in one run, so that leases are renewed in between. */
const maxEnded = 50;

/** Queries that keep tasks in step with jobs that another program changed, such as an earlier version or a service outside the render farm. */
export class MaintenanceStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /**
   * Gives open jobs their missing tasks, ends the tasks of jobs that have ended, and renews the leases of distributed jobs that have a task.
   * A job whose distributed render was lost with its queue continues from its stored plan. Returns the number of new tasks;
   * undefined if another host holds the lock.
   */
  reconcile(times: MaintenanceTimes): Promise<number | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lockKey)}) as locked`.execute(trx);
      if (rows[0]?.locked !== true) return undefined;
      await renewJobLeases(trx, times);
      await sql`
        update tasks set kind = 'cleanup', open_segments = 0, claim = null, lease_expires_at = null from jobs
        where segment < 0 and kind <> 'cleanup' and jobs.id = tasks.job_id and jobs.status in ('completed', 'failed')`.execute(trx);
      // Queued again by a program that knows no tasks.
      await sql`
        update tasks set kind = 'plan', host_group = '', open_segments = 0, claim = null, lease_expires_at = null, ready_at = now() from jobs
        where segment < 0 and kind = 'stitch' and claim is null and jobs.id = tasks.job_id and jobs.status = 'queued'`.execute(trx);
      await sql`
        delete from tasks using jobs where segment >= 0 and jobs.id = tasks.job_id and (jobs.status <> 'processing'
          or (jobs.lease_owner like '@farm|%' and jobs.lease_owner not like '@farm|' || tasks.run || '|%'))`.execute(trx);
      return addMissing(trx, times.now);
    });
  }

  /** Movies with unclaimed segments whose host group was absent for this long, while hosts of other groups are connected. */
  async listOrphaned(absentMs: number): Promise<OrphanedMovie[]> {
    const { rows } = await sql<OrphanedMovie>`
      select jobs.id as "jobId", jobs.lease_owner as "leaseOwner", orphaned.host_group as "group"
      from (
        select distinct job_id, host_group from tasks
        where segment >= 0 and claim is null
          and not exists (select from render_hosts
            where render_hosts.host_group = tasks.host_group and seen_at > clock_timestamp() - ${absentMs}::float8 * interval '1 ms')
          and ready_at < clock_timestamp() - ${absentMs}::float8 * interval '1 ms'
          and exists (select from render_hosts where not has_left and seen_at > clock_timestamp() - ${absentMs}::float8 * interval '1 ms')
        limit ${sql.lit(maxMovies)}) as orphaned
      join jobs on jobs.id = orphaned.job_id
      where jobs.status = 'processing' and jobs.lease_owner like '@farm|%'`.execute(this.#db);
    return rows;
  }

  /** Ids of ended jobs whose objects are still to be deleted. */
  async listEnded(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select job_id as id from tasks where kind = 'cleanup' and ready_at < clock_timestamp() order by random() limit ${sql.lit(maxEnded)}`.execute(this.#db);
    return rows.map(({ id }) => id);
  }
}

/** While a movie waits for a host no one else renews its lease. Jobs that a transaction has locked are renewed by it or by the next run. */
async function renewJobLeases(trx: Transaction<Database>, { leaseExpiresAt, renewBefore }: MaintenanceTimes): Promise<void> {
  await sql`
    with expiring as (
      select id from jobs
      where status = 'processing' and mode = 'live' and lease_owner like '@farm|%' and lease_expires_at < ${renewBefore}
        and exists (select from tasks where tasks.job_id = jobs.id and segment < 0 and kind <> 'cleanup')
      for no key update skip locked)
    update jobs set lease_expires_at = ${leaseExpiresAt} from expiring where jobs.id = expiring.id`.execute(trx);
}

async function addMissing(trx: Transaction<Database>, now: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with queued as (
      select id as job_id, account_id, estimated_credits::float8 as cost, seq as place, case status when 'queued' then 'plan' else 'stitch' end as kind
      from jobs
      where mode = 'live' and (status = 'queued' or (status = 'processing' and lease_owner like '@farm|%' and lease_expires_at < ${now}))
        and not exists (select from tasks where tasks.job_id = jobs.id and segment < 0)
      order by seq limit ${sql.lit(maxMovies)}),
    ${movieTags}
    insert into tasks (job_id, account_id, segment, kind, tag, cost)
    select tagged.job_id, tagged.account_id, -1, queued.kind, tag, greatest(tagged.cost, 1) from tagged join queued on queued.job_id = tagged.job_id
    on conflict (job_id, segment) do nothing
    returning id`.execute(trx);
  return rows.length;
}
