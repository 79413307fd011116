import { sql } from 'kysely';
import { type Database, type Kysely, type Param, PreparedQuery, type Transaction } from '../../db/index.js';
import type { JobTransactionHook, QueuedJob } from '../../jobs/index.js';
import type { SharedSegment } from '../bundle-store.js';

/** A task that this host has claimed. */
export interface ClaimedRow {
  id: number;
  jobId: string;
  accountId: string;
  kind: 'plan' | 'segment' | 'stitch';
  /** Run of a segment. */
  run: string | null;
  /** A segment's plan as JSON. */
  plan: string | null;
  /** Counted attempts that failed. */
  failures: number;
  /** How often a host was lost that had claimed it. */
  hostLosses: number;
}

/** Identifies a claim. */
export interface ClaimKey {
  id: number;
  jobId: string;
  /** Fencing token: a change under an earlier claim is refused. */
  claim: string;
}

/** Outcome of a segment. */
export interface SegmentEnd extends ClaimKey {
  run: string;
  /** Progress of the movie that the segment has not reported yet. */
  progress: number;
  stage: string;
  /** New end of the job's lease. */
  leaseExpiresAt: string;
}

type Transact = Transaction<Database>;

/** Maximum tasks of a group that a claim considers; as many hosts can claim at the same moment without one finding nothing. */
const maxCandidates = 16;
/** How long the objects of an ended movie stay if the host that ended it does not delete them (s). */
const cleanupDelaySeconds = 30;

/**
 * The tasks of distributed movies: rows with a lease and a fencing token. A movie has one task from its submission to its end, which is created,
 * reset and ended in the transactions of its job; its segments are tasks of their own, and the last one to end makes the movie ready again.
 *
 * Order: start-time fair queueing between accounts. Work is tagged with the virtual time at which it would start if every account had an equal share;
 * the lowest tag is claimed first. So an hour-long movie does not delay another account's ten seconds, and no account starves. The virtual
 * time is that of the work being done, and follows from the tasks.
 */
export class TaskStore implements JobTransactionHook {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async onSubmitted(): Promise<void> {}

  /** Makes the movies ready to be planned. */
  async onQueued(trx: Transact, jobs: readonly QueuedJob[]): Promise<void> {
    const list = <T>(of: (job: QueuedJob) => T): string => jobs.map(of) as never;
    const jobIds = list(({ jobId }) => jobId);
    await queueMovies.run(trx, { jobIds, accountIds: list(({ accountId }) => accountId), costs: list(({ credits }) => credits) });
    await removeSegments.run(trx, { jobIds });
  }

  /** Removes the segments. The movie's task stays until its objects are deleted. */
  async onEnded(trx: Transact, { id: jobId }: { id: string }): Promise<void> {
    await endMovie.run(trx, { jobId });
    await removeSegments.run(trx, { jobIds: [jobId] as never });
  }

  /** Claims the task with the lowest tag for a host of this group. `claim` is a new unique token. */
  async claim(group: string, claim: string, leaseMs: number): Promise<ClaimedRow | undefined> {
    const { rows } = await claimNext.run(this.#db, { group, claim, leaseMs });
    return rows[0];
  }

  /** Renews claims by the database's clock. Returns those that are still valid. */
  async renew(claims: readonly string[], leaseMs: number): Promise<string[]> {
    const { rows } = await renewClaims.run(this.#db, { claims: claims as never, leaseMs });
    return rows.map(({ claim }) => claim);
  }

  /**
   * Ends a segment: removes its task, adds its progress to the job's, renews the job's lease, and makes the movie ready if it was the last one.
   * Returns the job's progress and the number of segments left; undefined if the claim or the run is not valid any more.
   */
  async completeSegment(end: SegmentEnd): Promise<{ progress: number; openSegments: number } | undefined> {
    const { rows } = await endSegment.run(this.#db, { ...end, owner: `@farm|${end.run}|%`, progress: end.progress, maxProgress: maxSegmentProgress });
    return rows[0];
  }

  /** Parks a movie until its segments are done, or makes it ready to be stitched if there are none. Returns false if the claim is not valid any more. */
  async queueSegments({ id, claim }: ClaimKey, run: string, group: string, segments: readonly SharedSegment[]): Promise<boolean> {
    const { rows } = await parkMovie.run(this.#db, {
      id,
      claim,
      run,
      group,
      count: segments.length,
      indexes: segments.map(({ index }) => index) as never,
      plans: segments.map((segment) => JSON.stringify(segment)) as never,
    });
    return rows.length > 0;
  }

  /** Makes a claimed task ready for any host after a delay. `isFailure` counts the attempt. */
  async requeue({ id, claim }: ClaimKey, { isFailure = false, delayMs = 0 } = {}): Promise<void> {
    await releaseTask.run(this.#db, { id, claim, failures: isFailure ? 1 : 0, delayMs });
  }

  /** Drops the segments of a movie and makes it ready to queue those of another run; its claim becomes invalid. In the transaction that changes the run. */
  async restart(trx: Transact, jobId: string): Promise<void> {
    await sql`
      update tasks set kind = 'stitch', open_segments = 0, claim = null, lease_expires_at = null, ready_at = now()
      where job_id = ${jobId} and segment < 0 and kind <> 'cleanup'`.execute(trx);
    await removeSegments.run(trx, { jobIds: [jobId] as never });
  }

  /** Removes a claimed task. */
  async remove({ id, claim }: ClaimKey): Promise<void> {
    await sql`delete from tasks where id = ${id} and claim = ${claim}`.execute(this.#db);
  }

  /** Removes the last task of an ended movie. */
  async removeEnded(jobId: string): Promise<void> {
    await sql`delete from tasks where job_id = ${jobId} and kind = 'cleanup'`.execute(this.#db);
  }

  /** Makes tasks of lost hosts ready for others. Returns their number. */
  async recoverExpired(): Promise<number> {
    const { rows } = await recoverTasks.run(this.#db, {});
    return rows.length;
  }
}

/** Maximum progress of a movie before it is stitched. */
const maxSegmentProgress = 0.97;

/** A statement in SQL, which PostgreSQL plans once per connection. */
function statement<Values, Row>(name: string, build: (param: Param<Values>) => ReturnType<typeof sql<Row>>): PreparedQuery<Values, Row> {
  return new PreparedQuery<Values, Row>((db, param) => ({ compile: () => build(param).compile(db) }), `framewright_${name}`);
}

/**
 * These commits need not wait for the disk. What a crash of the server loses of them costs time only: tokens of claims are unique, and packets and plans
 * are in the object store, so a segment that ended is found to be done by the next host. Later commits of the job wait for them. The setting
 * is part of a statement, because it holds for one transaction.
 */
const withoutFlush = sql`(select set_config('synchronous_commit', 'off', true))`;
const later = (ms: unknown) => sql`clock_timestamp() + ${ms}::float8 * interval '1 ms'`;
const isFree = sql`claim is null and open_segments = 0 and kind <> 'cleanup'`;

/**
 * The tag of a movie is the virtual time or the end of the account's last open movie, whichever is later. The virtual time is the highest tag of
 * the work being done: a movie that is stitched does not count, because it has the tag of its first segment.
 */
export const movieTags = sql`
  clock as materialized (
    select coalesce(
      (select max(tag) from tasks where claim is not null and kind <> 'stitch'),
      (select tag from tasks where host_group = '' and ${isFree} order by tag limit 1),
      (select min(tag) from tasks where ${isFree}),
      0) as time),
  tagged as (
    select job_id, account_id, cost,
      greatest((select time from clock), coalesce((select max(tag + cost) from tasks where tasks.account_id = queued.account_id and segment < 0 and kind <> 'cleanup'
        and tasks.job_id <> queued.job_id), 0))
      + sum(cost) over (partition by account_id order by place) - cost as tag
    from queued)`;

const queueMovies = statement<{ jobIds: string; accountIds: string; costs: string }, unknown>(
  'queue_movies',
  (param) => sql`
    with queued as (
      select * from unnest(${param('jobIds')}::text[], ${param('accountIds')}::text[], ${param('costs')}::float8[])
        with ordinality as given (job_id, account_id, cost, place)),
    ${movieTags}
    insert into tasks (job_id, account_id, segment, kind, tag, cost)
    select job_id, account_id, -1, 'plan', tag, greatest(cost, 1) from tagged
    on conflict (job_id, segment) do update
    set kind = 'plan', host_group = '', open_segments = 0, ready_at = now(), claim = null, lease_expires_at = null`,
);

const endMovie = statement<{ jobId: string }, unknown>(
  'end_movie',
  (param) => sql`
    update tasks set kind = 'cleanup', open_segments = 0, claim = null, lease_expires_at = null, ready_at = now() + ${sql.lit(`${cleanupDelaySeconds} s`)}::interval
    where job_id = ${param('jobId')} and segment < 0`,
);

/** A statement of its own after the one that locks the movies: it sees the segments that a host has added before that. */
const removeSegments = statement<{ jobIds: string }, unknown>(
  'remove_segments',
  (param) => sql`delete from tasks where job_id = any(${param('jobIds')}::text[]) and segment >= 0`,
);

/** Each group has an index in the order of claims. A row that another host is claiming is skipped. */
const claimNext = statement<{ group: string; claim: string; leaseMs: number }, ClaimedRow>(
  'claim_task',
  (param) => sql<ClaimedRow>`
    with candidates as (
      (select id, tag from tasks where host_group = '' and ${isFree} and ready_at <= now() order by tag, id limit ${sql.lit(maxCandidates)})
      union all
      (select id, tag from tasks where host_group = ${param('group')} and ${isFree} and ready_at <= now() order by tag, id limit ${sql.lit(maxCandidates)})),
    next as (
      select tasks.id from candidates join tasks on tasks.id = candidates.id
      where tasks.claim is null and tasks.open_segments = 0 and tasks.kind <> 'cleanup'
      order by candidates.tag, candidates.id limit 1 for update of tasks skip locked)
    update tasks set claim = ${param('claim')}, lease_expires_at = ${later(param('leaseMs'))}
    from next cross join ${withoutFlush} as without_flush
    where tasks.id = next.id
    returning tasks.id, job_id as "jobId", account_id as "accountId", kind, run, plan, failures, host_losses as "hostLosses"`,
);

/** A row that a transaction has locked is not waited for: what that transaction does with it decides. */
const renewClaims = statement<{ claims: string; leaseMs: number }, { claim: string }>(
  'renew_claims',
  (param) => sql<{ claim: string }>`
    with free as (select id from tasks where claim = any(${param('claims')}::text[]) for update skip locked),
    renewed as (
      update tasks set lease_expires_at = ${later(param('leaseMs'))} from free cross join ${withoutFlush} as without_flush where tasks.id = free.id)
    select claim from tasks where claim = any(${param('claims')}::text[])`,
);

/** Locks the job first, as every transaction does that ends or restarts a movie. */
const endSegment = statement<SegmentEnd & { owner: string; maxProgress: number }, { progress: number; openSegments: number }>(
  'end_segment',
  (param) => sql<{ progress: number; openSegments: number }>`
    with job as materialized (
      select id from jobs where id = ${param('jobId')} and status = 'processing' and lease_owner like ${param('owner')} for no key update),
    ended as (delete from tasks using job where tasks.id = ${param('id')} and claim = ${param('claim')} returning tasks.job_id),
    movie as (
      update tasks set open_segments = open_segments - 1, ready_at = now() from ended
      where tasks.job_id = ended.job_id and segment < 0 returning open_segments)
    update jobs set progress = least(${param('maxProgress')}::float8, progress + ${param('progress')}::float8), stage = ${param('stage')},
      lease_expires_at = ${param('leaseExpiresAt')}
    from ended cross join ${withoutFlush} as without_flush where jobs.id = ended.job_id
    returning jobs.progress, (select open_segments from movie) as "openSegments"`,
);

const parkMovie = statement<{ id: number; claim: string; run: string; group: string; count: number; indexes: string; plans: string }, unknown>(
  'park_movie',
  (param) => sql`
    with movie as (
      update tasks set kind = 'stitch', open_segments = ${param('count')}::int, claim = null, lease_expires_at = null, failures = 0, ready_at = now()
      from ${withoutFlush} as without_flush
      where id = ${param('id')} and claim = ${param('claim')} returning id, job_id, account_id, tag, cost),
    added as (
      insert into tasks (job_id, account_id, segment, kind, host_group, run, tag, cost, plan)
      select job_id, account_id, given.segment, 'segment', ${param('group')}, ${param('run')},
        tag + cost * (given.place - 1) / ${param('count')}::float8, 0, given.plan
      from movie cross join unnest(${param('indexes')}::int[], ${param('plans')}::text[]) with ordinality as given (segment, plan, place))
    select id from movie`,
);

const releaseTask = statement<{ id: number; claim: string; failures: number; delayMs: number }, unknown>(
  'release_task',
  (param) => sql`
    update tasks set claim = null, lease_expires_at = null, failures = failures + ${param('failures')}::int, ready_at = ${later(param('delayMs'))}
    where id = ${param('id')} and claim = ${param('claim')}`,
);

const recoverTasks = statement<object, { id: number }>(
  'recover_tasks',
  () => sql<{ id: number }>`
    with lost as (select id from tasks where claim is not null and lease_expires_at < clock_timestamp() order by id limit 1000 for update skip locked)
    update tasks set claim = null, lease_expires_at = null, host_losses = host_losses + 1, ready_at = now() from lost where tasks.id = lost.id
    returning tasks.id`,
);
