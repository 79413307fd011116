import { sql } from 'kysely';
import type { Database, Kysely } from '../../db/index.js';
import type { HostCapabilities } from '../../jobs/index.js';

/** A host of the render farm. */
export interface RenderHost {
  name: string;
  /** Hosts of one group render identical bytes. */
  group: string;
  /** Number of render processes. */
  slots: number;
  cores: number;
  encoders: HostCapabilities['encoders'];
  compositors: HostCapabilities['compositors'];
  since: string;
}

/** How long a registration lasts without a heartbeat (s). */
const registrationSeconds = 15;
/** How long the rows of lost hosts stay; longer than the absence after which other groups restart their movies (s). */
const retentionSeconds = 600;

/** The hosts of the render farm. A registration ends 15 s after the last heartbeat, by the clock of the database. */
export class HostStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Registers a host or renews its registration. Returns the number of registered hosts. */
  async register(id: string, host: RenderHost): Promise<number> {
    const { rows } = await sql<{ others: number }>`
      with me as (
        insert into render_hosts (id, host_group, host, seen_at) values (${id}, ${host.group}, ${JSON.stringify(host)}, clock_timestamp())
        on conflict (id) do update set host_group = excluded.host_group, host = excluded.host, seen_at = excluded.seen_at, has_left = false)
      select count(*) as others from render_hosts where id <> ${id} and ${isConnected}`.execute(this.#db);
    return 1 + (rows[0]?.others ?? 0);
  }

  /** Ends a registration. The row stays for a while: a host that restarts continues the movies of its group. */
  async leave(id: string): Promise<void> {
    await sql`update render_hosts set has_left = true where id = ${id}`.execute(this.#db);
  }

  /** Lists registered hosts. */
  async list(): Promise<RenderHost[]> {
    const { rows } = await sql<{ host: string }>`select host from render_hosts where ${isConnected} order by host`.execute(this.#db);
    return rows.map(({ host }) => JSON.parse(host) as RenderHost);
  }

  /** Removes the rows of hosts that were lost long ago. */
  async removeOld(): Promise<void> {
    await sql`delete from render_hosts where seen_at < clock_timestamp() - ${retentionSeconds}::float8 * interval '1 s'`.execute(this.#db);
  }
}

const isConnected = sql`not has_left and seen_at > clock_timestamp() - ${sql.lit(`${registrationSeconds} s`)}::interval`;
