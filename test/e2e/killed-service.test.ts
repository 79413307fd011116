import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../src/accounts/index.js';
import { openDatabase } from '../../src/db/index.js';
import { expectNothingLost, retryDelays, untilAtRest } from '../support/kills/expect-nothing-lost.js';
import { KilledHost, summarizeTimes } from '../support/kills/killed-host.js';
import { listFolder } from '../support/kills/list-outputs.js';
import { SubmittingClient, untilNextKill } from '../support/kills/submitting-client.js';
import { startReceiver } from '../support/receiver.js';
import { startService } from '../support/service.js';

/** FRAMEWRIGHT_TEST_LONG=1 kills 200 times; FRAMEWRIGHT_TEST_KILLS=N, N times. */
const long = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const kills = Number(process.env.FRAMEWRIGHT_TEST_KILLS ?? (long ? 200 : 8));
/** The promised start time, checked only in the long form: other test files on the same cores slow a start down. */
const maxReadyMs = 2000;
const credits = 1_000_000;

it(`after ${kills} times kill -9 under load, no accepted job is lost, charged twice or unreported`, { timeout: 60_000 + kills * 30_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-kills-'));
  const receiver = await startReceiver();
  const environment = { FRAMEWRIGHT_WORKERS: '1', FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: retryDelays(kills) };
  const host = new KilledHost(dataDir, () => startService(dataDir, environment));
  await host.start();
  const db = await openDatabase({ path: join(dataDir, 'framewright.db') });
  const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 20 };
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits, limits });
  const clients = Array.from({ length: 6 }, () => new SubmittingClient(key, receiver.url));
  const end = new AbortController();
  const submitting = Promise.all(clients.map((client) => client.submitUntil(end.signal, () => [host.url])));
  for (let kill = 0; kill < kills; kill += 1) {
    await Promise.race([untilNextKill(clients, kill), submitting]);
    await host.kill();
    expect((await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }]);
    await host.start();
  }
  end.abort();
  await submitting;

  await untilAtRest(db);
  const { jobs, interruptions } = await expectNothingLost({ db, clients, receiver, credits, kills, outputs: await listFolder(join(dataDir, 'outputs')) });
  await host.stop();
  expect(await readdir(join(dataDir, 'work'))).toEqual([]);
  const ready = summarizeTimes(host.readyMs);
  console.log(
    `${kills} kills, ${jobs} jobs (none more than ${interruptions} times interrupted), ready after ${ready.median} ms, at most ${ready.max} ms, render processes gone after at most ${summarizeTimes(host.goneMs).max} ms`,
  );
  if (long) expect(ready.median).toBeLessThan(maxReadyMs);
  await db.destroy();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});
