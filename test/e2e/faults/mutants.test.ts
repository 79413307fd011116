import { expect, it } from 'vitest';
import { explore } from '../../support/explorer/explore.js';
import { buildMutant, mutants, mutate } from '../../support/explorer/mutants.js';

/** The explorer searches for each defect only in the long form (FRAMEWRIGHT_TEST_LONG=1, `npm run test:mutants`); FRAMEWRIGHT_TEST_MUTANT=WORD: those whose names contain the word. */
const isLong = process.env.FRAMEWRIGHT_TEST_LONG !== undefined;
const wanted = process.env.FRAMEWRIGHT_TEST_MUTANT ?? '';
const maxHistories = Number(process.env.FRAMEWRIGHT_TEST_HISTORIES ?? 300);
const fleets = Number(process.env.FRAMEWRIGHT_TEST_FLEETS ?? 2);
const firstSeed = Number(process.env.FRAMEWRIGHT_TEST_SEED ?? 1);

it('knows where each defect goes', async () => {
  expect(mutants.length).toBeGreaterThanOrEqual(10);
  for (const mutant of mutants) expect([...(await mutate(mutant)).keys()]).not.toEqual([]);
  if (!isLong) console.log(`The explorer does not search for the ${mutants.length} defects here, because that takes many histories: npm run test:mutants`);
});

const table: string[] = [];
for (const mutant of isLong ? mutants.filter(({ name }) => name.includes(wanted)) : []) {
  it(`the explorer finds: ${mutant.name}`, { timeout: 3_600_000 }, async () => {
    const { dist, remove } = await buildMutant(mutant);
    try {
      const seeds = Array.from({ length: maxHistories }, (_, index) => firstSeed + index);
      const { failures, histories, seconds } = await explore({ seeds, fleets, dist, stopsAtFailure: true });
      const [first] = failures;
      table.push(
        `| ${mutant.name} | ${first === undefined ? 'not found' : first.violations[0]?.rule} | ${first?.seed ?? '-'} | ${histories} | ${Math.round(seconds)} s |`,
      );
      console.log(`| Defect | Broken rule | Seed | Histories | Time |\n| --- | --- | --- | --- | --- |\n${table.join('\n')}`);
      expect(first?.violations[0]?.rule).not.toBe('a history runs to its end');
      expect(failures.length, `not found in ${histories} histories`).toBeGreaterThan(0);
    } finally {
      await remove();
    }
  });
}
