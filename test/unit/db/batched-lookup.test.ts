import { afterEach, beforeEach, expect, it } from 'vitest';
import { BatchedLookup } from '../../../src/db/index.js';
import { openTestAccounts, type TestAccounts } from '../../support/accounting.js';

interface Row {
  id: string;
  name: string;
}

let books: TestAccounts;
let queries: number;
let names: BatchedLookup<Row>;

beforeEach(async () => {
  books = await openTestAccounts();
  queries = 0;
  const counting = books.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      return result;
    },
  });
  names = new BatchedLookup(
    counting,
    (db, hasKey) => db.selectFrom('accounts').select(['id', 'name']).where(hasKey('name')),
    ({ name }) => name,
  );
  for (const accountName of ['one', 'two', "it's"]) await books.accounts.createKey({ accountName, mode: 'live', credits: 0 });
});
afterEach(() => books.close());

it('finds rows of simultaneous requests with one query', async () => {
  const wanted = ['two', 'nobody', 'one', 'two', "it's", '', '{"a"', 'nul\0'];
  const found = await Promise.all(wanted.map((name) => names.find(name)));
  expect(found.map((row) => row?.name)).toEqual(['two', undefined, 'one', 'two', "it's", undefined, undefined, undefined]);
  expect(queries).toBe(1);
});

it('finds more rows than fit in one query', async () => {
  const found = await Promise.all(Array.from({ length: 1000 }, (_none, index) => names.find(index % 2 === 0 ? 'one' : `other ${index}`)));
  expect(found.filter((row) => row?.name === 'one')).toHaveLength(500);
});

it('sees what was committed before the request', async () => {
  const pending: Array<Promise<Row | undefined>> = [];
  for (let round = 0; round < 20; round += 1) {
    pending.push(names.find('one'));
    await books.db
      .updateTable('accounts')
      .set({ name: `round ${round}` })
      .where('name', '=', round === 0 ? 'two' : `round ${round - 1}`)
      .execute();
    expect((await names.find(`round ${round}`))?.name).toBe(`round ${round}`);
  }
  await Promise.all(pending);
});

it('rejects all requests of a query that fails, and answers the next ones', async () => {
  const broken = new BatchedLookup<Row>(
    books.db,
    (db, hasKey) =>
      db
        .selectFrom('accounts')
        .select(['id', 'name', 'missing' as 'name'])
        .where(hasKey('name')),
    ({ name }) => name,
  );
  const outcomes = await Promise.allSettled([broken.find('one'), broken.find('two')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(broken.find('one')).rejects.toThrow();
  expect((await names.find('one'))?.name).toBe('one');
});
