import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../../../src/accounts/index.js';
import { startKillableService } from '../../../support/killable-service.js';
import { answer, pause, startReceiver, until } from '../../../support/receiver.js';
import { callAt, movie } from '../../../support/service-in-process.js';
import { openTestDatabase } from '../../../support/test-database.js';

const delaySeconds = 1;
const environment = { FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: `${delaySeconds},${delaySeconds},${delaySeconds}` };

it('kill -9 during each back-off neither loses, advances nor adds an attempt', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-webhooks-'));
  const receiver = await startReceiver(answer(500));
  let service = await startKillableService(dataDir, environment);
  const db = await openTestDatabase(dataDir);
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'pro', mode: 'live', credits: 100 });
  const { body } = await callAt(service.address, 'POST', '/api/render', { key, body: { ...movie(), webhook_uri: receiver.url } });
  const failedAttempts = async () => (await db.selectFrom('delivery_attempts').select('number').where('finished_at', 'is not', null).execute()).length;
  const restarts: number[] = [];
  for (const attempt of [1, 2, 3, 4]) {
    await receiver.waitFor(attempt);
    await until(async () => (await failedAttempts()) === attempt);
    await service.kill();
    await pause(300);
    service = await startKillableService(dataDir, environment);
    restarts.push(performance.now());
  }
  await pause((delaySeconds + 1) * 1000);
  expect(receiver.received).toHaveLength(4);
  const times = receiver.received.map((request) => request.at);
  for (const [index, at] of times.slice(1).entries()) {
    expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(delaySeconds * 1000 - 50);
    // A restart that takes longer than the back-off makes the attempt at once.
    expect(at).toBeLessThan(Math.max((times[index] ?? 0) + delaySeconds * 1000, restarts[index] ?? 0) + 1500);
  }
  expect(new Set(receiver.received.map((request) => request.headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.received.map((request) => request.body.replace(/http:\/\/127\.0\.0\.1:\d+/, ''))).size).toBe(1);
  expect(await db.selectFrom('deliveries').select(['job_id', 'status', 'attempts']).execute()).toEqual([
    { job_id: String(body.job_id), status: 'failed', attempts: 4 },
  ]);
  await service.kill();
  await db.destroy();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});
