import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/index.js';
import { createPostgresServer, emptyDatabase } from './postgres-server.js';

/** One server for all test files of the project, with a separate database per data folder. */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  // Tests need no durability.
  const server = await createPostgresServer({ settings: ['fsync=off', 'max_connections=300'] });
  // Migrated once; the databases of tests are copies of it.
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(`create database ${emptyDatabase}`);
  await client.end();
  const empty = await openDatabase({ url: Object.assign(new URL(server.url), { pathname: `/${emptyDatabase}` }).toString() });
  await empty.destroy();
  project.provide('postgresUrl', server.url);
  return () => server.remove();
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string | undefined;
  }
}
