import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialects.js';
import type { Database } from './tables.js';

interface Clock {
  /** Unix ms. */
  now(): number;
  monotonic(): number;
}

const intervalMs = 10_000;
/** A slower answer says too little about the time at which it was given. */
const maxRoundTripMs = 1000;

/**
 * The clock of the database, so that all hosts of a fleet agree when a lease expires, however wrong their own clocks are: the time
 * of the server, measured every 10 s and carried on by this machine's monotonic clock. For SQLite, `local` itself.
 * Rejects if the server does not answer. `stop` ends the measurements.
 */
export async function createDatabaseClock(db: Kysely<Database>, local: Clock): Promise<Clock & { stop(): void }> {
  if (!isPostgres(db)) return { now: () => local.now(), monotonic: () => local.monotonic(), stop: () => {} };
  let offset = local.now() - local.monotonic();
  const measure = async (): Promise<void> => {
    const before = local.monotonic();
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
    const after = local.monotonic();
    if (rows[0] !== undefined && after - before <= maxRoundTripMs) offset = rows[0].ms - (before + after) / 2;
  };
  await measure();
  const timer = setInterval(() => void measure().catch(() => {}), intervalMs);
  timer.unref();
  return { now: () => local.monotonic() + offset, monotonic: () => local.monotonic(), stop: () => clearInterval(timer) };
}
