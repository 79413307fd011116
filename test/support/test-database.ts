import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, type DatabaseLocation, type Kysely, openDatabase } from '../../src/db/index.js';
import { emptyDatabase } from './postgres-server.js';

/** The database of a data folder: SQLite inside it, or in the project `postgres` a separate database on the server. */
export async function databaseOf(folder: string): Promise<DatabaseLocation> {
  const server = inject('postgresUrl');
  if (server === undefined) return { path: join(folder, 'framewright.db') };
  const name = `test_${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  await withClient(server, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name} template ${emptyDatabase}`);
  });
  return { url: Object.assign(new URL(server), { pathname: `/${name}` }).toString() };
}

/** Environment variables for a service with this data folder. */
export async function databaseEnvironment(folder: string): Promise<Record<string, string>> {
  const place = await databaseOf(folder);
  return 'url' in place ? { DATABASE_URL: place.url } : {};
}

export async function openTestDatabase(folder: string): Promise<Kysely<Database>> {
  return openDatabase(await databaseOf(folder));
}

/** All stored bytes: the files of SQLite or every row of PostgreSQL. */
export async function storedBytes(place: DatabaseLocation): Promise<Buffer> {
  if ('path' in place) {
    const files = (await readdir(dirname(place.path))).filter((name) => name.startsWith(basename(place.path)));
    return Buffer.concat(await Promise.all(files.map((name) => readFile(join(dirname(place.path), name)))));
  }
  return withClient(place.url, async (client) => {
    const tables = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
    const rows: string[] = [];
    for (const { name } of tables.rows) {
      const all = await client.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
      rows.push(...all.rows.map(({ row }) => row));
    }
    return Buffer.from(rows.join('\n'));
  });
}

/** Updates statistics, which PostgreSQL does by itself a minute after many inserts. */
export async function tidyUp(place: DatabaseLocation): Promise<void> {
  if ('url' in place) await withClient(place.url, (client) => client.query('vacuum analyze'));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
