import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect } from 'vitest';
import { AccountStore, type Clock, findImbalances, type KeyMode, type Limits, type PlanName, systemClock } from '../../src/accounts/index.js';
import { type App, startApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/index.js';
import type { DatabaseLocation } from '../../src/db/index.js';
import type { HttpTiming } from '../../src/http/index.js';
import type { PoolTiming } from '../../src/jobs/index.js';
import { databaseEnvironment } from './test-database.js';

export const smallWorker = fileURLToPath(new URL('../fixtures/workers/small-worker.mjs', import.meta.url));

export interface ServiceOptions {
  workers?: number;
  workerPath?: string;
  previewWorkerPath?: string;
  dataDir?: string;
  clock?: Clock;
  timing?: Partial<PoolTiming>;
  httpTiming?: Partial<HttpTiming>;
  environment?: Record<string, string>;
}

/** A service on a free port with a database in its own folder and a fake render process. */
export interface Service {
  readonly app: App;
  readonly dataDir: string;
  readonly database: DatabaseLocation;
  readonly log: string[];
  createKey(options?: { account?: string; plan?: PlanName; mode?: KeyMode; credits?: number; limits?: Limits }): Promise<{ key: string; accountId: string }>;
  readonly accounts: AccountStore;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Resolves when the job has completed or failed. */
  waitForEnd(key: string, jobId: string): Promise<JobBody>;
  balance(accountId: string): Promise<number>;
  /** Stops the service and checks the ledger; removes the folder unless the test gave it. */
  stop(graceMs?: number): Promise<void>;
}

export interface CallOptions {
  key?: string;
  body?: unknown;
  /** Raw body. */
  text?: string | Uint8Array;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown> & { error?: Record<string, unknown> };
}

export type JobBody = Record<string, unknown> & { job_id: string; status: string; output_uri?: string };

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'framewright-service-')));
  const log: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const config = loadConfig({
    PATH: process.env.PATH,
    PORT: '0',
    FRAMEWRIGHT_DATA_DIR: dataDir,
    FRAMEWRIGHT_WORKERS: String(options.workers ?? 1),
    ...(await databaseEnvironment(dataDir)),
    ...options.environment,
  });
  const app = await startApp({
    config,
    log: pino({ level: 'debug' }, stream),
    workerPath: options.workerPath ?? smallWorker,
    ...(options.previewWorkerPath !== undefined && { previewWorkerPath: options.previewWorkerPath }),
    ...(options.clock !== undefined && { clock: options.clock }),
    ...(options.httpTiming !== undefined && { httpTiming: options.httpTiming }),
    // Tests leave connections open.
    lastAnswersMs: 1000,
    timing: { publishMs: 0, persistMs: 50, renewMs: 200, sweepMs: 200, ...options.timing },
  });
  const accounts = new AccountStore(app.db, options.clock ?? systemClock);
  const call = (method: string, path: string, request: CallOptions = {}) => callAt(app.address, method, path, request);
  return {
    app,
    dataDir,
    database: config.db,
    log,
    accounts,
    call,
    async createKey({ account = 'someone', plan, mode = 'live', credits = 1000, limits } = {}) {
      const chosen = plan ?? 'enterprise';
      const created = await accounts.createKey({
        accountName: account,
        plan: chosen,
        mode,
        credits,
        limits: limits ?? (chosen === 'enterprise' ? { requestsPerMinute: 100_000, concurrentJobs: 100 } : {}),
      });
      return { key: created.key, accountId: created.accountId };
    },
    async waitForEnd(key, jobId) {
      for (;;) {
        const { body } = await call('GET', `/api/jobs/${jobId}`, { key });
        if (body.status === 'completed' || body.status === 'failed') return body as JobBody;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async balance(accountId) {
      return (await app.db.selectFrom('accounts').select('balance').where('id', '=', accountId).executeTakeFirstOrThrow()).balance;
    },
    async stop(graceMs = 0) {
      const imbalances = await findImbalances(app.db);
      await app.close(graceMs);
      if (options.dataDir === undefined) {
        expect(await readdir(join(dataDir, 'work'))).toEqual([]);
        await rm(dataDir, { recursive: true, force: true });
      }
      expect(imbalances).toEqual([]);
    },
  };
}

export async function callAt(address: string, method: string, path: string, request: CallOptions = {}): Promise<Answer> {
  const response = await fetch(address + path, {
    method,
    headers: {
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...(request.key !== undefined && { 'x-api-key': request.key }),
      ...request.headers,
    },
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    ...(request.text !== undefined && { body: request.text }),
  });
  const text = await response.text();
  const json = (response.headers.get('content-type') ?? '').startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: json ? (JSON.parse(text) as Answer['body']) : {} };
}

/** A movie of whole seconds without media. `comment` contains commands for the fake render process. */
export function movie(comment = '', seconds = 2): object {
  return { comment, width: 320, height: 180, scenes: [{ duration: seconds, 'background-color': '#112233' }] };
}
