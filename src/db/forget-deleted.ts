import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialects.js';
import type { Database } from './tables.js';

/**
 * Deleted and overwritten content is zeroed in SQLite's file as it goes (secure_delete), but older copies of pages stay
 * in the write-ahead log: this empties it. When a reader holds it, the next call or the next checkpoint does.
 * PostgreSQL has nothing of the kind: there its own vacuum and recycling of logs do, in their time.
 */
export async function truncateWal(db: Kysely<Database>): Promise<void> {
  if (!isPostgres(db)) await sql`pragma wal_checkpoint(truncate)`.execute(db);
}
