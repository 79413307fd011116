import { expect, it } from 'vitest';
import { systemClock } from '../../../src/accounts/index.js';
import { answer, startReceiver, until } from '../../support/receiver.js';
import { movie, startService } from '../../support/service-in-process.js';

const hourMs = 3_600_000;

it.each([
  ['forward by a day', 24 * hourMs],
  ['back by a day', -24 * hourMs],
])(
  'a clock that is set %s in the middle of a render costs neither the attempt nor the webhook',
  async (_name, jumpMs) => {
    let offset = 0;
    const clock = { now: () => systemClock.now() + offset, monotonic: systemClock.monotonic };
    const receiver = await startReceiver((request, response, number) => answer(number === 1 ? 500 : 204)(request, response, number));
    const environment = { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: '1' };
    const service = await startService({ clock, environment });
    try {
      const { key } = await service.createKey();
      const { body } = await service.call('POST', '/api/render', { key, body: { ...movie('ms=2000'), webhook_uri: receiver.url } });
      const jobId = String(body.job_id);
      const rowOf = () => service.app.db.selectFrom('jobs').select(['status', 'attempts', 'interruptions']).where('id', '=', jobId).executeTakeFirstOrThrow();
      await until(async () => (await rowOf()).status === 'processing', 30_000);
      offset = jumpMs;
      expect(await service.waitForEnd(key, jobId)).toMatchObject({ status: 'completed' });
      expect(await rowOf()).toEqual({ status: 'completed', attempts: 1, interruptions: 0 });
      await receiver.waitFor(1, 30_000);
      // Between the attempts as well.
      offset = 0;
      await receiver.waitFor(2, 60_000);
    } finally {
      await service.stop();
      await receiver.close();
    }
  },
  180_000,
);

it('a clock that jumps all the time interrupts no job of this host, also while it is claimed', async () => {
  let offset = 0;
  const clock = {
    now: () => {
      offset += hourMs;
      return systemClock.now() + offset;
    },
    monotonic: systemClock.monotonic,
  };
  const service = await startService({ clock, workers: 2, timing: { sweepMs: 1 } });
  try {
    const { key } = await service.createKey();
    for (let count = 0; count < 40; count += 1) {
      const { body } = await service.call('POST', '/api/render', { key, body: movie('ms=1') });
      await service.waitForEnd(key, String(body.job_id));
    }
    const rows = await service.app.db.selectFrom('jobs').select(['status', 'attempts', 'interruptions']).execute();
    expect(new Set(rows.map((row) => `${row.status} ${row.attempts} ${row.interruptions}`))).toEqual(new Set(['completed 1 0']));
  } finally {
    await service.stop();
  }
}, 120_000);
