import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialects.js';
import type { Database } from './tables.js';

interface Clock {
  /** Unix ms. */
  now(): number;
  monotonic(): number;
}

const intervalMs = 10_000;
/** The server gave a slower answer at too uncertain a time: it is used only while no answer has come faster. */
const maxRoundTripMs = 1000;
/** Measurements at the start until an answer is fast enough. */
const maxStartMeasurements = 4;

/**
 * The clock of the database, so that all hosts of a fleet agree when a lease expires, however wrong their own clocks are: the time
 * of the server, measured every 10 s with an error of up to half a round trip, and carried on by this machine's monotonic clock; this
 * machine's own wall clock is never used. For SQLite, `local` itself.
 * Rejects if the server does not answer. `stop` ends the measurements.
 */
export async function createDatabaseClock(db: Kysely<Database>, local: Clock): Promise<Clock & { stop(): void }> {
  if (!isPostgres(db)) return { now: () => local.now(), monotonic: () => local.monotonic(), stop: () => {} };
  let offset = 0;
  let fastestMs = Number.POSITIVE_INFINITY;
  const measure = async (): Promise<void> => {
    const before = local.monotonic();
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
    const after = local.monotonic();
    const roundTripMs = after - before;
    if (rows[0] === undefined || roundTripMs > Math.max(maxRoundTripMs, fastestMs)) return;
    fastestMs = Math.min(fastestMs, roundTripMs);
    offset = rows[0].ms - (before + after) / 2;
  };
  await measure();
  for (let count = 1; count < maxStartMeasurements && fastestMs > maxRoundTripMs; count += 1) await measure();
  const timer = setInterval(() => void measure().catch(() => {}), intervalMs);
  timer.unref();
  return { now: () => local.monotonic() + offset, monotonic: () => local.monotonic(), stop: () => clearInterval(timer) };
}
