import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Claim, DeliveryRecordStore, DeliveryRunner, DeliveryStore, WebhookSender } from '../../../../src/delivery/outbox/index.js';
import { WebhookSecretStore } from '../../../../src/delivery/webhooks/index.js';
import { DatabaseUnavailableError } from '../../../../src/errors/index.js';
import { JobLeaseStore, JobStore } from '../../../../src/jobs/index.js';
import { createOutbound, type Outbound } from '../../../../src/outbound/index.js';
import { openTestAccounts, type TestAccounts } from '../../../support/accounting.js';
import { answer, hang, pause, type Receiver, type Responder, startReceiver, until } from '../../../support/receiver.js';

let accounting: TestAccounts;
let store: DeliveryStore;
let records: DeliveryRecordStore;
let jobs: JobStore;
let leases: JobLeaseStore;
let outbound: Outbound;
let accountId: string;
const receivers: Receiver[] = [];
const runners: DeliveryRunner[] = [];

beforeEach(async () => {
  accounting = await openTestAccounts();
  ({ accountId } = await accounting.accounts.createKey({ accountName: 'acme', plan: 'enterprise', mode: 'live', credits: 10_000 }));
  store = new DeliveryStore(accounting.db, accounting.clock);
  records = new DeliveryRecordStore(accounting.db, accounting.clock);
  jobs = new JobStore(accounting.db, accounting.clock, [store]);
  leases = new JobLeaseStore(accounting.db, accounting.clock, 60_000, [store]);
  outbound = createOutbound({ allowPrivateHosts: ['127.0.0.1'] });
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await outbound.close();
  await accounting.close();
});

async function receiver(behave?: Responder): Promise<Receiver> {
  const started = await startReceiver(behave);
  receivers.push(started);
  return started;
}

const log = { info() {}, warn() {}, error: (metadata: object, text: string) => errors.push([metadata, text]) };

function createSender(options: { timeoutMs?: number } = {}, retryDelaysMs = [30_000, 120_000, 600_000]): WebhookSender {
  const { db, clock } = accounting;
  const outputUri = (name: string): string => `https://videos.example.com/outputs/${name}`;
  return new WebhookSender({ secrets: new WebhookSecretStore(db, clock), jobs, outbound, outputUri, retryDelaysMs, clock, log, ...options });
}

/** Polls for due webhooks 50 times a second, on the clock that the test moves. */
function dispatch(...options: Parameters<typeof createSender>): DeliveryRunner {
  const runner = new DeliveryRunner({ store, senders: [createSender(...options)], clock: accounting.clock, log, pollMs: 20 });
  runners.push(runner);
  runner.start();
  return runner;
}
const errors: unknown[] = [];

/** A job that has just been completed. */
async function complete(webhookUri: string, account = accountId): Promise<string> {
  const caller = { accountId: account, mode: 'live' as const, limits: { requestsPerMinute: 1, concurrentJobs: 500 } };
  const { jobId } = await jobs.submit({ caller, script: { scenes: [] }, estimatedCredits: 2, webhookUri });
  await leases.claim('live', 'me', (id) => `${id}.mp4`);
  await leases.complete(jobId, 'me', { durationSeconds: 2, sizeBytes: 9, warnings: [] });
  return jobId;
}
const statusOf = async (jobId: string) => (await records.findWebhook(jobId))?.status;

describe('the retry schedule', () => {
  it('makes attempts at once and 30 s, 2 min and 10 min after failures, then stops', async () => {
    const failing = await receiver(answer(500));
    const jobId = await complete(failing.url);
    dispatch();
    await failing.waitFor(1);
    for (const [index, delayMs] of [30_000, 120_000, 600_000].entries()) {
      const written = async () => ((await records.findWebhook(jobId))?.attempts[index]?.finishedAt ?? null) !== null;
      await until(written);
      accounting.clock.advance(delayMs - 1);
      await pause(100);
      expect(failing.received).toHaveLength(index + 1);
      accounting.clock.advance(1);
      await failing.waitFor(index + 2);
    }
    await until(async () => (await statusOf(jobId)) === 'abandoned');
    accounting.clock.advance(86_400_000);
    await pause(100);
    expect(failing.received).toHaveLength(4);
    const record = await records.findWebhook(jobId);
    expect(record?.nextAttemptAt).toBeNull();
    expect(record?.attempts.map(({ number, httpStatus, error }) => ({ number, httpStatus, error }))).toEqual(
      [1, 2, 3, 4].map((number) => ({ number, httpStatus: 500, error: 'answered 500' })),
    );
    const seconds = record?.attempts.map(({ startedAt }) => (Date.parse(startedAt) - Date.parse('2030-01-01T00:00:00Z')) / 1000);
    expect(seconds).toEqual([0, 30, 150, 750]);
  });

  it('ends with the first 2xx and keeps id and body across attempts', async () => {
    const recovering = await receiver((request, response, number) => answer(number === 1 ? 500 : 202)(request, response, number));
    const jobId = await complete(recovering.url);
    dispatch();
    await recovering.waitFor(1);
    await until(async () => (await records.findWebhook(jobId))?.attempts[0]?.finishedAt !== null);
    accounting.clock.advance(30_000);
    await recovering.waitFor(2);
    await until(async () => (await statusOf(jobId)) === 'delivered');
    accounting.clock.advance(86_400_000);
    await pause(100);
    const [first, second, ...more] = recovering.received;
    expect(more).toEqual([]);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])).toBe(30);
  });

  it('has one attempt more than delays', async () => {
    const failing = await receiver(answer(503));
    const jobId = await complete(failing.url);
    dispatch({}, [0]);
    await until(async () => (await statusOf(jobId)) === 'abandoned');
    expect(failing.received).toHaveLength(2);
  });

  it('counts an attempt with unknown outcome and repeats it at its retry time', async () => {
    const failing = await receiver(answer(500));
    const jobId = await complete(failing.url);
    // The state that a killed service leaves.
    expect((await store.claim(createSender().policy, jobId))?.claim?.token).toBe(1);
    expect(await store.claim(createSender().policy, jobId)).toBeUndefined();
    dispatch();
    accounting.clock.advance(29_999);
    await pause(100);
    expect(failing.received).toHaveLength(0);
    for (const ms of [1, 120_000, 600_000]) {
      accounting.clock.advance(ms);
      const before = failing.received.length;
      await failing.waitFor(before + 1);
      await until(async () => ((await records.findWebhook(jobId))?.attempts.at(-1)?.finishedAt ?? null) !== null);
    }
    await until(async () => (await statusOf(jobId)) === 'abandoned');
    expect(failing.received).toHaveLength(3);
    expect((await records.findWebhook(jobId))?.attempts[0]).toMatchObject({ number: 1, finishedAt: null, error: null });
  });

  it('abandons a webhook whose last outcome is unknown', async () => {
    const working = await receiver();
    const jobId = await complete(working.url);
    await store.claim(createSender({}, []).policy, jobId);
    dispatch({}, []);
    await pause(100);
    expect(await statusOf(jobId)).toBe('pending');
    accounting.clock.advance(20_000);
    await until(async () => (await statusOf(jobId)) === 'abandoned');
    expect(working.received).toHaveLength(0);
  });
});

describe('an attempt', () => {
  const claim = async (jobId: string): Promise<Claim> => {
    const claimed = await store.claim(createSender({}, [0]).policy, jobId);
    if (claimed?.claim === undefined) throw new Error('The webhook must be claimable.');
    return claimed.claim;
  };
  const failed = { status: 'failed', attempts: 1, message: 'answered 500', httpStatus: 500 } as const;
  const delivered = { status: 'delivered', attempts: 1, message: null, httpStatus: 200 } as const;

  it('stores its outcome after an outage of the database instead of sending the webhook again', async () => {
    const working = await receiver();
    const jobId = await complete(working.url);
    const record = vi.spyOn(store, 'record');
    for (let failure = 0; failure < 3; failure += 1) record.mockRejectedValueOnce(new DatabaseUnavailableError('connection refused'));
    dispatch();
    await working.waitFor(1);
    // The lease expires during the outage.
    accounting.clock.advance(60_000);
    await until(async () => (await statusOf(jobId)) === 'delivered');
    accounting.clock.advance(86_400_000);
    await pause(100);
    expect(working.received).toHaveLength(1);
  });

  it('does not decide the state when a later one has begun', async () => {
    const jobId = await complete('http://127.0.0.1:9/');
    const stalled = await claim(jobId);
    accounting.clock.advance(20_000);
    const next = await claim(jobId);
    expect(next.token).toBeGreaterThan(stalled.token);
    expect(await store.record(stalled, 0, failed)).toBe(false);
    expect(await store.renew(stalled, 20_000)).toBe(false);
    await store.release(stalled, false);
    expect(await store.claim(createSender({}, [0]).policy, jobId)).toBeUndefined();
    expect(await statusOf(jobId)).toBe('pending');
    expect(await store.record(next, 0, delivered)).toBe(true);
    expect(await store.record(stalled, 0, failed)).toBe(false);
    expect(await records.findWebhook(jobId)).toMatchObject({ status: 'delivered', attempts: [{ error: 'answered 500' }, { error: null, httpStatus: 200 }] });
  });
});

describe('an abandoned webhook', () => {
  it('is listed as failed and can be sent again with all its retries', async () => {
    const recovering = await receiver((request, response, number) => answer(number < 4 ? 500 : 200)(request, response, number));
    const jobId = await complete(recovering.url);
    dispatch({}, [0]);
    await until(async () => (await statusOf(jobId)) === 'abandoned');
    const [listed, ...more] = await records.list({ status: 'failed', limit: 10 });
    expect(listed).toMatchObject({ jobId, accountName: 'acme', kind: 'webhook', host: new URL(recovering.url).host, attempts: 2, message: 'answered 500' });
    expect(more).toEqual([]);
    expect(await records.resend(listed?.id ?? 0)).toBe(true);
    await until(async () => (await statusOf(jobId)) === 'delivered');
    expect((await records.findWebhook(jobId))?.attempts.map(({ number, httpStatus }) => [number, httpStatus])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 200],
    ]);
    expect(new Set(recovering.received.map((request) => request.headers['webhook-id'])).size).toBe(1);
    expect(await records.resend(listed?.id ?? 0)).toBe(false);
    expect(await records.resend(999_999)).toBe(false);
    expect(await records.list({ status: 'failed', limit: 10 })).toEqual([]);
  });
});

describe('what counts as a failure', () => {
  const attempt = async (url: string, timing: { timeoutMs?: number } = {}) => {
    const jobId = await complete(url);
    dispatch(timing);
    await until(async () => ((await records.findWebhook(jobId))?.attempts[0]?.finishedAt ?? null) !== null, 30_000);
    return { ...(await records.findWebhook(jobId)) };
  };

  it.each([301, 302, 303, 307, 308])('a redirect with %i, which is not followed', async (status) => {
    const target = await receiver();
    const redirecting = await receiver(answer(status, { location: target.url }));
    const { attempts } = await attempt(redirecting.url);
    expect(attempts?.[0]).toMatchObject({ httpStatus: status, error: `answered ${status} (redirects are not followed)` });
    await pause(50);
    expect(target.received).toHaveLength(0);
  });

  it('a receiver that does not respond', async () => {
    const hanging = await receiver(hang);
    const began = performance.now();
    const { attempts, status } = await attempt(hanging.url, { timeoutMs: 1200 });
    expect(performance.now() - began).toBeGreaterThan(1150);
    expect(attempts?.[0]).toMatchObject({ httpStatus: null, error: 'did not answer within 1.2 seconds' });
    expect(status).toBe('pending');
  });

  it('no attempt before its timeout of 15 s: another one starts 5 s after that at the earliest', async () => {
    const hanging = await receiver(hang);
    const jobId = await complete(hanging.url);
    const begunAt = accounting.clock.now();
    dispatch({}, [0]);
    await hanging.waitFor(1);
    expect(Date.parse((await records.findWebhook(jobId))?.nextAttemptAt ?? '') - begunAt).toBe(20_000);
  });

  it('endless headers', async () => {
    const slow = await receiver((_request, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => response.socket?.write('x-drip: 1\r\n'), 50);
      response.socket?.on('close', () => clearInterval(drip));
    });
    const { attempts } = await attempt(slow.url, { timeoutMs: 500 });
    expect(attempts?.[0]).toMatchObject({ error: 'did not answer within 0.5 seconds' });
  });

  it('a closed port, a broken connection and a response that is not HTTP', async () => {
    const closed = await receiver();
    await closed.close();
    expect((await attempt(closed.url)).attempts?.[0]).toMatchObject({ httpStatus: null, error: 'refused the connection' });
    const breaking = await receiver((_request, response) => response.socket?.destroy());
    expect((await attempt(breaking.url)).attempts?.[0]).toMatchObject({ httpStatus: null, error: 'broke off the connection' });
    const talking = await receiver((_request, response) => response.socket?.end('SSH-2.0-OpenSSH\r\n'));
    expect((await attempt(talking.url)).attempts?.[0]).toMatchObject({ error: 'did not answer with valid HTTP' });
  });

  it('a forbidden address, checked at each attempt', async () => {
    const inside = await receiver();
    await outbound.close();
    outbound = createOutbound({ allowPrivateHosts: [], resolve: async () => ['127.0.0.1'] });
    const { port } = new URL(inside.url);
    expect((await attempt(`http://rebound.example:${port}/`)).attempts?.[0]).toMatchObject({ error: 'does not lead to a public address' });
    expect((await attempt(inside.url)).attempts?.[0]).toMatchObject({ error: 'was not called: 127.0.0.1 is not a public address' });
    expect(inside.received).toHaveLength(0);
  });
});

describe('responses', () => {
  it('count by their status, even if the body is slow', async () => {
    const dripping = await receiver((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    });
    const jobId = await complete(dripping.url);
    dispatch({ timeoutMs: 600 });
    await until(async () => (await statusOf(jobId)) === 'delivered');
    expect(dripping.received).toHaveLength(1);
  });

  it('are read up to 64 KiB', async () => {
    let sentBytes = 0;
    let cut: (() => void) | undefined;
    const cutOff = new Promise<void>((resolve) => {
      cut = resolve;
    });
    const huge = await receiver((_request, response) => {
      response.writeHead(500);
      const chunk = Buffer.alloc(65_536, 'x');
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
        if (!response.destroyed) response.once('drain', pour);
      };
      response.on('close', () => cut?.());
      pour();
    });
    const jobId = await complete(huge.url);
    dispatch();
    await cutOff;
    // The kernel buffers some data on both sides of the connection.
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
    await until(async () => (await records.findWebhook(jobId))?.attempts[0]?.finishedAt !== null);
    expect((await records.findWebhook(jobId))?.attempts[0]?.error).toBe(`answered 500: ${'x'.repeat(160)}`);
  });
});

describe('concurrent deliveries', () => {
  it('are at most two per receiver', async () => {
    const slow = await receiver((_request, response) => setTimeout(() => response.writeHead(200).end(), 50));
    for (let index = 0; index < 9; index += 1) await complete(slow.url);
    dispatch();
    await slow.waitFor(9);
    expect(slow.maxConcurrent()).toBe(2);
  });

  it('are at most 32 in all and 16 per account', async () => {
    const accounts = [accountId];
    for (let index = 1; index < 3; index += 1) {
      const created = await accounting.accounts.createKey({ accountName: `account ${index}`, plan: 'enterprise', mode: 'live', credits: 100 });
      accounts.push(created.accountId);
    }
    const perAccount: number[] = [];
    const hanging = await Promise.all(Array.from({ length: 30 }, () => receiver(hang)));
    for (const [index, account] of accounts.entries()) {
      for (const slow of hanging.slice(index * 10, index * 10 + 10)) for (let again = 0; again < 3; again += 1) await complete(slow.url, account);
    }
    dispatch();
    await until(() => hanging.reduce((sum, slow) => sum + slow.received.length, 0) >= 32);
    await pause(200);
    const maximum = hanging.reduce((sum, slow) => sum + slow.received.length, 0);
    for (let index = 0; index < accounts.length; index += 1)
      perAccount.push(hanging.slice(index * 10, index * 10 + 10).reduce((sum, slow) => sum + slow.received.length, 0));
    expect(maximum).toBe(32);
    expect(Math.max(...perAccount)).toBe(16);
    expect(Math.max(...hanging.map((slow) => slow.maxConcurrent()))).toBe(2);
  });

  it('do not wait for an unresponsive receiver', async () => {
    const hanging = await receiver(hang);
    const quick = await receiver();
    for (let index = 0; index < 100; index += 1) await complete(hanging.url);
    const runner = dispatch();
    await hanging.waitFor(2);
    await complete(quick.url);
    const due = performance.now();
    runner.notify();
    await quick.waitFor(1);
    expect((quick.received[0]?.at ?? Number.POSITIVE_INFINITY) - due).toBeLessThan(250);
    expect(hanging.received).toHaveLength(2);
  });
});

it('no test above logs an internal error', () => expect(errors).toEqual([]));
