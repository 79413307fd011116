import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JobLeaseStore, JobStore, OutputRecordStore } from '../../../../src/jobs/index.js';
import { Retention } from '../../../../src/jobs/retention/index.js';
import { createLocalStorage, type Storage } from '../../../../src/storage/index.js';
import { openTestAccounts, type TestAccounts } from '../../../support/accounting.js';
import { movie, startService } from '../../../support/service-in-process.js';

const hourMs = 3_600_000;
const random = 'a'.repeat(64);
const log = { info: () => {}, warn: () => {}, error: () => {} };

let books: TestAccounts;
let folder: string;
let storage: Storage;
let accountId: string;
let removed: string[];
beforeEach(async () => {
  books = await openTestAccounts();
  folder = await mkdtemp(join(tmpdir(), 'framewright-retention-'));
  storage = await createLocalStorage(folder);
  ({ accountId } = await books.accounts.createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 1000 }));
  removed = [];
});
afterEach(async () => {
  await books.close();
  await rm(folder, { recursive: true, force: true });
});

function createRetention({ outputMs }: { outputMs: number | undefined } = { outputMs: 24 * hourMs }): Retention {
  const onRemoved = (reason: string, files: number, bytes: number): void => void removed.push(`${reason} ${files} ${bytes}`);
  return new Retention({
    outputs: new OutputRecordStore(books.db),
    storage,
    removeLeftovers: async () => 0,
    outputRetentionMs: outputMs,
    sandboxRetentionMs: 24 * hourMs,
    onRemoved,
    clock: books.clock,
    log,
  });
}

/** A completed job with its file. */
async function complete(): Promise<{ jobId: string; name: string }> {
  const jobs = new JobStore(books.db, books.clock);
  const leases = new JobLeaseStore(books.db, books.clock, 60_000);
  const caller = { accountId, mode: 'live' as const, limits: { requestsPerMinute: 1, concurrentJobs: 1000 } };
  const { jobId } = await jobs.submit({ caller, script: { scenes: [] }, estimatedCredits: 1 });
  const name = `${jobId}-${random}.mp4`;
  await leases.claim('live', 'a', () => name);
  await writeFile(join(folder, name), 'film');
  await leases.complete(jobId, 'a', { durationSeconds: 1, sizeBytes: 4, warnings: [] });
  return { jobId, name };
}

const find = (jobId: string) => new JobStore(books.db, books.clock).find(accountId, jobId);

it('removes expired outputs, also more than one batch, and no others', async () => {
  const old = [];
  for (let number = 0; number < 60; number += 1) old.push(await complete());
  books.clock.advance(23 * hourMs);
  const young = await complete();
  const retention = createRetention();
  await retention.run();
  expect(removed).toEqual([]);
  books.clock.advance(hourMs + 1);
  await retention.run();
  expect(await readdir(folder)).toEqual([young.name]);
  expect(removed).toEqual(['expired 50 200', 'expired 10 40']);
  expect(await find(old[0]?.jobId ?? '')).toMatchObject({ status: 'completed', outputName: null, outputRemovedAt: expect.any(String), creditsUsed: 1 });
  expect(await find(young.jobId)).toMatchObject({ outputName: young.name, outputRemovedAt: null });
  await retention.run();
  expect(removed).toHaveLength(2);
});

it('keeps outputs forever by default', async () => {
  await complete();
  const retention = createRetention({ outputMs: undefined });
  books.clock.advance(100_000 * hourMs);
  await retention.run();
  expect(await readdir(folder)).toHaveLength(1);
});

it('keeps an output with pending exports', async () => {
  const { jobId, name } = await complete();
  const row = { job_id: jobId, kind: 'export' as const, ordinal: 0, account_id: accountId, type: 'ftp', target: '{}', status: 'pending' as const };
  await books.db.insertInto('deliveries').values(row).execute();
  const retention = createRetention();
  books.clock.advance(48 * hourMs);
  await retention.run();
  expect(await readdir(folder)).toEqual([name]);
  await books.db.updateTable('deliveries').set({ status: 'delivered' }).execute();
  await retention.run();
  expect(await readdir(folder)).toEqual([]);
});

it('removes nothing for an hour after the clock jumps forward', async () => {
  await complete();
  const retention = createRetention();
  books.clock.wallMs += 10 * 365 * 24 * hourMs;
  await retention.run();
  books.clock.advance(hourMs / 2);
  await retention.run();
  expect(await readdir(folder)).toHaveLength(1);
  books.clock.advance(hourMs / 2);
  await retention.run();
  expect(await readdir(folder)).toHaveLength(0);
});

it('removes files left by crashes, and no file that may be in use', async () => {
  const { name, jobId } = await complete();
  const stranger = `${randomUUID()}-${random}.mp4`;
  const left = [`${jobId}-${'b'.repeat(64)}.mp4`, `${name}.part`, `${name}.${randomUUID()}.partial`];
  for (const file of [...left, stranger, 'notes.txt', 'own.mp4']) await writeFile(join(folder, file), 'x');
  await createRetention().run();
  expect((await readdir(folder)).sort()).toEqual([name, stranger, 'notes.txt', 'own.mp4'].sort());
  expect(removed).toEqual(['abandoned 3 0']);
});

it('removes folders that crashes left', async () => {
  const { jobId } = await complete();
  const left = `${jobId}-${'b'.repeat(64)}-live`;
  await mkdir(join(folder, left));
  for (const file of ['stream.m3u8', 'stream-720p.mp4']) await writeFile(join(folder, left, file), 'x');
  await createRetention().run();
  expect((await readdir(folder)).filter((name) => name.includes('live'))).toEqual([]);
});

it('repairs a crash between removing the file and its row', async () => {
  const { jobId, name } = await complete();
  const retention = createRetention();
  books.clock.advance(48 * hourMs);
  await storage.remove(name);
  await retention.run();
  expect(await find(jobId)).toMatchObject({ outputName: null, outputRemovedAt: expect.any(String) });
});

it('an expired output answers 410, and its job shows when it was removed', async () => {
  const service = await startService({ environment: { FRAMEWRIGHT_OUTPUT_RETENTION_HOURS: '1' } });
  try {
    const { key } = await service.createKey();
    const { body } = await service.call('POST', '/api/render', { key, body: movie() });
    const job = await service.waitForEnd(key, String(body.job_id));
    const path = new URL(String(job.output_uri)).pathname;
    expect((await service.call('GET', path)).status).toBe(200);
    const at = '2030-01-01T00:00:00.000Z';
    await rm(join(service.dataDir, path));
    expect((await service.call('GET', path)).status).toBe(404);
    await new OutputRecordStore(service.app.db).markRemoved([job.job_id], at);
    const gone = await service.call('GET', path);
    expect([gone.status, gone.body.error]).toEqual([410, { code: 'NOT_FOUND', message: expect.stringContaining(`removed at ${at}`) }]);
    const after = (await service.call('GET', `/api/jobs/${job.job_id}`, { key })).body;
    expect(after).toMatchObject({ status: 'completed', output_expired_at: at });
    expect(after).not.toHaveProperty('output_uri');
    expect((await service.call('GET', path.replace(/a|b|c/, 'd'))).status).toBe(404);
  } finally {
    await service.stop();
  }
});
