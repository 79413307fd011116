import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explore } from '../../support/explorer/explore.js';

/** FRAMEWRIGHT_TEST_LONG=1 runs 2,000 histories, FRAMEWRIGHT_TEST_HISTORIES=N that many; FRAMEWRIGHT_TEST_SEED=N begins with seed N. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const count = Number(process.env.FRAMEWRIGHT_TEST_HISTORIES ?? (isLong ? 2000 : 6));
const firstSeed = Number(process.env.FRAMEWRIGHT_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** FRAMEWRIGHT_TEST_DIST: another build than dist/. */
const dist = process.env.FRAMEWRIGHT_TEST_DIST;
const fleets = Number(process.env.FRAMEWRIGHT_TEST_FLEETS ?? 3);

it(`${count} histories of three hosts under faults break no rule (seeds from ${firstSeed})`, { timeout: 120_000 + count * 30_000 }, async () => {
  const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
  let done = 0;
  const { faults, failures, jobs, histories, seconds } = await explore({
    seeds,
    fleets,
    dist,
    onFailure: ({ seed, report }) => writeFileSync(`build/history-${seed}.log`, report),
    onHistory: (seed, { violations }) => {
      done += 1;
      for (const { rule, detail } of violations) console.log(`seed ${seed}: ${rule}: ${detail}`);
      if (isLong && done % 10 === 0) console.log(`${done} histories`);
    },
  });
  console.log(`${histories} histories, ${jobs} jobs in ${Math.round(seconds)} s; faults: ${JSON.stringify(Object.fromEntries([...faults].sort()))}`);
  expect(failures.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
});
