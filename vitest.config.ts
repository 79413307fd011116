import { defineConfig } from 'vitest/config';

/** Tests of what uses the database, which run on PostgreSQL as well. */
const ofDatabase = ['contract/{http,jobs,delivery/{webhooks,outbox}}/**/*', 'unit/{accounts,db,jobs}/**/*', 'property/ledger-*'];

export default defineConfig({
  test: {
    // In the long form a test draws hundreds of frames on a software device.
    testTimeout: process.env.FRAMEWRIGHT_TEST_LONG === undefined ? 60_000 : 900_000,
    hookTimeout: 60_000,
    // One race in a test must not fail a long run. A test that passes the second time is reported as `retry x1` and needs fixing.
    retry: process.env.CI === undefined ? 0 : 1,
    // More renders, Chromiums and databases at once would starve each other on two cores.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'local', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ofDatabase.map((folder) => `test/${folder}.test.ts`),
          // These do not use the database.
          exclude: ['test/contract/http/{reference-page,openapi,hostile-bytes,studio}.test.ts', 'test/contract/http/operations/**'],
          globalSetup: 'test/support/postgres-project.ts',
        },
      },
    ],
  },
});
