import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { loadServers } from '../farm/test-servers.mjs';
import { cpuSecondsOf } from './programs.mjs';

/** What a benchmark checks after the service was killed. Every statement returns one number. */
const debited = "select -coalesce(sum(amount), 0) from ledger_entries where kind = 'hold'";
const wrongAccounts = 'select count(*) from accounts where balance <> (select coalesce(sum(amount), 0) from ledger_entries where account_id = accounts.id)';

/** A database for a service: its environment, its own CPU time, and what is stored after a crash. */
export const databases = { sqlite: createSqlite, postgres: createPostgres };

async function createSqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-bench-db-'));
  return {
    environment: { FRAMEWRIGHT_DATA_DIR: folder, DATABASE_URL: '' },
    /** SQLite runs in the service. */
    cpuSeconds: () => 0,
    async readBooks() {
      const database = new SqliteDatabase(join(folder, 'framewright.db'), { readonly: true });
      const numberOf = (sql) => database.prepare(sql).pluck().get();
      const jobs = new Set(database.prepare('select id from jobs').pluck().all());
      const books = { jobs, debited: numberOf(debited), wrong: numberOf(wrongAccounts), sound: database.pragma('integrity_check', { simple: true }) === 'ok' };
      database.close();
      return books;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A server with the default settings of its version, so every commit is flushed to disk. */
async function createPostgres() {
  const { createPostgresServer } = await loadServers(['postgres-server']);
  const server = await createPostgresServer();
  return {
    environment: { DATABASE_URL: server.url },
    cpuSeconds: () => cpuSecondsOfTree(server.pid),
    /** The server is killed as well, so what is read has been recovered from its log. */
    async readBooks() {
      await server.kill();
      await server.start();
      const client = new pg.Client(server.url);
      await client.connect();
      try {
        const numberOf = async (sql) => Number(Object.values((await client.query(sql)).rows[0])[0]);
        const { rows } = await client.query('select id from jobs');
        return { jobs: new Set(rows.map(({ id }) => id)), debited: await numberOf(debited), wrong: await numberOf(wrongAccounts), sound: true };
      } finally {
        await client.end();
      }
    },
    remove: () => server.remove(),
  };
}

/** CPU time of a server and its child processes, including those that have exited. */
function cpuSecondsOfTree(pid) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return children.reduce((sum, child) => sum + cpuSecondsOf(child), cpuSecondsOf(pid, true));
}

function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
  } catch {
    return undefined;
  }
}
