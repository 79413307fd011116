import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { harmlessFaults, quickFaults, slowFaults, startBadServer } from '../../support/bad-servers.js';
import { type FaultyService, smallMovie, startFaultyService } from '../../support/faulty-service.js';
import { answer, hang, startReceiver } from '../../support/receiver.js';
import { finishedJob } from '../../support/service.js';

const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;

let faulty: FaultyService;
let media: Awaited<ReturnType<typeof startBadServer>>;
beforeAll(async () => {
  media = await startBadServer(createCanvas(64, 36).toBuffer('image/png'));
  faulty = await startFaultyService({ environment: { FRAMEWRIGHT_WORKERS: '2' } });
});
afterAll(async () => {
  await faulty.stop();
  await media.close();
});

describe('faulty media servers', () => {
  it('fail only their own job, with a reason and without a charge', { timeout: 600_000 }, async () => {
    const faults = isLong ? [...quickFaults, ...slowFaults] : quickFaults;
    const jobs = await Promise.all(
      faults.map(async (fault) => {
        const scenes = [{ duration: 0.5, elements: [{ type: 'image', src: `${media.url}/${fault}` }] }];
        const { status, body } = await faulty.call('POST', '/api/render', { ...smallMovie, scenes });
        expect([fault, status]).toEqual([fault, 202]);
        return [fault, await finishedJob(faulty.service, faulty.key, String(body.job_id), 500_000)] as const;
      }),
    );
    for (const [fault, job] of jobs) {
      if (harmlessFaults.has(fault)) expect([fault, job.status]).toEqual([fault, 'completed']);
      else if (fault !== 'longer-than-said') {
        expect([fault, job]).toMatchObject([fault, { status: 'failed', credits_used: 0, error: { code: 'RENDER_FAILED' } }]);
        expect(job.error?.message).toContain('scenes.0.elements.0');
      }
    }
    await faulty.expectRecovered();
  });
});

describe.skipIf(!isLong)('faulty webhook receivers', () => {
  it('do not delay the service or other receivers when they hang, redirect or respond endlessly', { timeout: 120_000 }, async () => {
    const good = await startReceiver();
    const trap = await startReceiver();
    const bad = await Promise.all([
      startReceiver(hang),
      startReceiver(answer(302, { location: trap.url })),
      startReceiver((_request, response) => {
        response.writeHead(200);
        const pour = setInterval(() => response.write(Buffer.alloc(100_000)), 10);
        response.on('close', () => clearInterval(pour));
      }),
      startReceiver((request) => request.socket.destroy()),
    ]);
    try {
      for (const { url } of bad) await faulty.call('POST', '/api/render', { ...smallMovie, webhook_uri: url });
      await Promise.all(bad.map((receiver) => receiver.waitFor(1, 60_000)));
      const { body } = await faulty.call('POST', '/api/render', { ...smallMovie, webhook_uri: good.url });
      const job = await finishedJob(faulty.service, faulty.key, String(body.job_id), 60_000);
      expect(job.status).toBe('completed');
      await good.waitFor(1, 5000);
      expect(trap.received).toEqual([]);
      await faulty.expectRecovered();
    } finally {
      await Promise.all([good, trap, ...bad].map((receiver) => receiver.close()));
    }
  });
});
