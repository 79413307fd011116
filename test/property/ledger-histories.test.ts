import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ledgerCommands } from './ledger-commands.js';
import { LedgerModel } from './ledger-model.js';
import { RealLedger } from './real-ledger.js';

/** FRAMEWRIGHT_TEST_LONG=1 runs ten times as many; FRAMEWRIGHT_TEST_SEED=N runs those of an earlier run again. Over a socket each takes eight times as long. */
const numRuns = (inject('postgresUrl') === undefined ? 1000 : 200) * (process.env.FRAMEWRIGHT_TEST_LONG === undefined ? 1 : 10);
const seed = Number(process.env.FRAMEWRIGHT_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

let real: RealLedger;
beforeAll(async () => {
  real = await RealLedger.open();
});
afterAll(() => real.close());

it(`${numRuns} random histories of jobs and credits match the model (seed ${seed})`, { timeout: 600_000 }, async () => {
  const histories = fc.commands(ledgerCommands, { maxCommands: 40, size: 'max' });
  const ends = { completed: 0, failed: 0, queued: 0, processing: 0, retried: 0, charged: 0 };
  const property = fc.asyncProperty(histories, async (history) => {
    const model = new LedgerModel();
    await real.clear();
    await fc.asyncModelRun(() => ({ model, real }), history);
    for (const job of model.jobs) {
      ends[job.status] += 1;
      if (job.attempts === 2) ends.retried += 1;
      if (job.charge > 0) ends.charged += 1;
    }
  });
  await fc.assert(property, { numRuns, seed });
  // Histories in which nothing happens would prove nothing.
  for (const count of Object.values(ends)) expect(count, JSON.stringify(ends)).toBeGreaterThan(numRuns / 50);
  console.log(`${numRuns} histories (seed ${seed}), their jobs: ${JSON.stringify(ends)}`);
});
