import { defineConfig } from 'vitest/config';

/** What stands on the database: the same tests once more on PostgreSQL. */
const ofDatabase = ['contract/{http,jobs,delivery/{webhooks,outbox}}/**/*', 'unit/{accounts,db,jobs}/**/*', 'property/ledger-*'];

export default defineConfig({
  test: {
    // In the long form a test draws hundreds of frames on a device in software.
    testTimeout: process.env.FRAMEWRIGHT_TEST_LONG === undefined ? 60_000 : 900_000,
    hookTimeout: 60_000,
    // A race in a test shall not hide what else a long run would tell. What passes the second time is told as `retry x1`, and is to be mended.
    retry: process.env.CI === undefined ? 0 : 1,
    // Two cores: renders, Chromium and databases of parallel files would only starve each other.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'local', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ofDatabase.map((folder) => `test/${folder}.test.ts`),
          // Without a word to the database.
          exclude: ['test/contract/http/{reference-page,openapi,hostile-bytes,studio}.test.ts', 'test/contract/http/operations/**'],
          globalSetup: 'test/support/postgres-project.ts',
        },
      },
    ],
  },
});
