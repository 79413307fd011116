import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.js';
import { type ProcessInfo, processTree } from '../../support/process-tree.js';
import { pause } from '../../support/receiver.js';

/** FRAMEWRIGHT_TEST_LONG=1 kills more often and also stops processes, which takes a minute to be detected. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const hits = isLong ? 60 : 6;

const kinds: Readonly<Record<string, (one: ProcessInfo) => boolean>> = {
  'render process': ({ command }) => command.includes('worker.js'),
  engine: ({ command }) => /framewright-engine|engine-main\.js/.test(command),
  Chromium: ({ command }) => /headless[-_]shell/.test(command),
};
const signals = ['SIGKILL', 'SIGSEGV', ...(isLong ? (['SIGSTOP'] as const) : [])] as const;

const movie = (number: number): object => ({
  width: 320,
  height: 180,
  fps: 15,
  cache: false,
  scenes: [
    { duration: 1, elements: [{ type: 'html', html: `<h1>${number}</h1>`, width: 320, height: 180 }] },
    { duration: 1, 'background-color': '#336699' },
  ],
});

it(
  `after ${hits} kills of render processes, engines and Chromium the service runs, credits add up and every job ends`,
  async () => {
    const faulty = await startFaultyService({ environment: { FRAMEWRIGHT_WORKERS: '2' } });
    const struck: string[] = [];
    try {
      for (let hit = 0; hit < hits; hit += 1) {
        const wanted = Object.keys(kinds)[hit % 3] ?? '';
        expect((await faulty.call('POST', '/api/render', movie(hit))).status).toBe(202);
        await pause(Math.random() * 1500);
        const deadline = performance.now() + 5000;
        let targets: ProcessInfo[] = [];
        while (targets.length === 0 && performance.now() < deadline) {
          targets = processTree(faulty.service.pid).filter((one) => kinds[wanted]?.(one));
          if (targets.length === 0) await pause(10);
        }
        const target = targets[Math.floor(Math.random() * targets.length)];
        const signal = signals[hit % signals.length] ?? 'SIGKILL';
        if (target === undefined) continue;
        try {
          process.kill(target.pid, signal);
          struck.push(`${signal} ${wanted}`);
        } catch {
          // It has just ended.
        }
      }
      await faulty.expectRecovered();
      const jobs = await faulty.db.selectFrom('jobs').select(['status', 'attempts']).execute();
      expect(jobs).toHaveLength(hits + 1);
      console.log(`${struck.join(', ')}: ${jobs.filter(({ status }) => status === 'completed').length} of ${jobs.length} jobs completed`);
      // On a busy machine a process may exit before the signal arrives.
      expect(struck.length).toBeGreaterThan(0);
    } finally {
      await faulty.stop();
    }
  },
  120_000 + hits * 60_000,
);
