import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabaseClock, type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { type PostgresProxy, startPostgresProxy } from '../../support/postgres-proxy.js';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.js';

/** The clock of a host that is an hour ahead. */
const wrongClock = { now: () => Date.now() + 3_600_000, monotonic: () => performance.now() };

let server: PostgresServer;
let proxy: PostgresProxy;
let db: Kysely<Database>;
beforeAll(async () => {
  server = await createPostgresServer();
  proxy = await startPostgresProxy(server.url);
  db = await openDatabase({ url: proxy.url });
});
afterAll(async () => {
  await db.destroy();
  await proxy.close();
  await server.remove();
});

it('gives the time of a database that answers at once', async () => {
  const clock = await createDatabaseClock(db, wrongClock);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(500);
  clock.stop();
});

it('gives the time of a database that answers slowly, to half of the time that an answer takes', async () => {
  proxy.latencyMs = 1300;
  const clock = await createDatabaseClock(db, wrongClock);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(900);
  clock.stop();
});
