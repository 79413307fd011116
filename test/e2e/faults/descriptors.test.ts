import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { smallMovie, startFaultyService } from '../../support/faulty-service.js';
import { pause } from '../../support/receiver.js';

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
if (!canLimit) console.error('LEFT OUT: exhausted descriptors: there is no prlimit (util-linux) here');

it.skipIf(!canLimit)(
  'the service survives without free file descriptors and recovers when there are some',
  async () => {
    const faulty = await startFaultyService();
    const { service, call } = faulty;
    const limit = (maximum: number): void => {
      expect(spawnSync('prlimit', ['--pid', String(service.pid), `--nofile=${maximum}:`]).status).toBe(0);
    };
    try {
      await faulty.expectRecovered();
      const open = Math.max(...readdirSync(`/proc/${service.pid}/fd`).map(Number)) + 1;
      limit(open);
      const attempts = Array.from({ length: 20 }, () => call('GET', '/api/jobs').catch(() => undefined));
      // Its replacement cannot start now.
      for (const pid of service.workers()) process.kill(pid, 'SIGKILL');
      await call('POST', '/api/render', smallMovie).catch(() => undefined);
      await pause(1500);
      expect(() => process.kill(service.pid, 0)).not.toThrow();
      limit(4096);
      await Promise.all(attempts);
      await faulty.expectRecovered();
    } finally {
      await faulty.stop();
    }
  },
  120_000,
);
