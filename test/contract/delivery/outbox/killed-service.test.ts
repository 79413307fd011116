import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AccountStore, systemClock } from '../../../../src/accounts/index.js';
import { startKillableService } from '../../../support/killable-service.js';
import { hang, startReceiver, until } from '../../../support/receiver.js';
import { callAt, movie } from '../../../support/service-in-process.js';
import { openTestDatabase } from '../../../support/test-database.js';

it('after kill -9, exports are neither lost nor repeated once delivered, and fail after three kills', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-exports-'));
  const [first, hanging, last] = [await startReceiver(), await startReceiver(hang), await startReceiver()];
  let service = await startKillableService(dataDir);
  const db = await openTestDatabase(dataDir);
  const { key } = await new AccountStore(db, systemClock).createKey({ accountName: 'acme', plan: 'pro', mode: 'live', credits: 100 });
  const exports = [first, hanging, last].map(({ url }) => ({ type: 'webhook', endpoint: url }));
  const { body } = await callAt(service.address, 'POST', '/api/render', { key, body: { ...movie(), exports } });
  const states = async () => (await callAt(service.address, 'GET', `/api/jobs/${body.job_id}`, { key })).body.exports as Array<{ status: string }>;
  for (const run of [1, 2, 3]) {
    await hanging.waitFor(run);
    await until(async () => (await states())[0]?.status === 'delivered');
    expect((await states()).map(({ status }) => status)).toEqual(['delivered', 'pending', 'pending']);
    await service.kill();
    service = await startKillableService(dataDir);
  }
  await until(async () => (await states()).every(({ status }) => status !== 'pending'));
  expect(await states()).toMatchObject([
    { status: 'delivered' },
    { status: 'failed', message: 'The service stopped unexpectedly in each of 3 deliveries.' },
    { status: 'delivered' },
  ]);
  expect([first.received.length, hanging.received.length, last.received.length]).toEqual([1, 3, 1]);
  await service.kill();
  await db.destroy();
  for (const receiver of [first, hanging, last]) await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});
