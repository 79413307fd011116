import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FaultyService, smallMovie, startFaultyService } from '../../support/faulty-service.js';
import { pause, until } from '../../support/receiver.js';

let faulty: FaultyService;
beforeAll(async () => {
  faulty = await startFaultyService();
});
afterAll(() => faulty.stop());

it('a database locked for seconds: reads succeed, writes wait or fail without a debit, renders continue', async () => {
  const { call, db } = faulty;
  await call('POST', '/api/render', { ...smallMovie, scenes: [{ duration: 5 }] });
  const other = new SqliteDatabase(join(faulty.dataDir, 'framewright.db'));
  other.exec('begin exclusive');
  const submissions = Promise.all(Array.from({ length: 3 }, () => call('POST', '/api/render', smallMovie)));
  const reads: number[] = [];
  for (const until = performance.now() + 6500; performance.now() < until; await pause(50)) {
    const { status, ms } = await call('GET', '/api/jobs');
    expect(status).toBe(200);
    reads.push(ms);
  }
  other.exec('rollback');
  other.close();
  reads.sort((a, b) => a - b);
  // A wait inside SQLite would block the whole process for five seconds.
  expect(reads.at(-1)).toBeLessThan(2500);
  expect(reads.length).toBeGreaterThan(4);
  for (const { status } of await submissions) expect([202, 503]).toContain(status);
  const accepted = (await submissions).filter(({ status }) => status === 202).length;
  await faulty.expectRecovered();
  expect((await db.selectFrom('jobs').select('id').execute()).length).toBe(1 + accepted + 1);
}, 120_000);

const database = (): string[] => ['framewright.db', 'framewright.db-wal'].map((name) => join(faulty.dataDir, name)).filter(existsSync);
const freeze = (flag: '+i' | '-i'): boolean => spawnSync('chattr', [flag, ...database()]).status === 0;

it('a read-only database: submissions are refused, reads succeed, and it recovers', async (context) => {
  if (!freeze('+i')) {
    console.error('LEFT OUT: a database that cannot be written: chattr needs root and a file system that knows it');
    context.skip();
  }
  const { call } = faulty;
  try {
    expect(await call('POST', '/api/render', smallMovie)).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
    expect((await call('GET', '/api/jobs')).status).toBe(200);
    expect((await call('GET', '/healthz')).status).toBe(200);
  } finally {
    freeze('-i');
  }
  await until(async () => (await call('POST', '/api/render', smallMovie)).status === 202, 5000);
  await faulty.expectRecovered();
}, 120_000);
