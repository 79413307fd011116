import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';
import { createPreviews } from '../../../src/preview/index.js';
import { ManualClock } from '../../support/accounting.js';
import { callPreview, type MediaServer, previewPids, startMediaServer } from '../../support/previews.js';
import { processTree } from '../../support/process-tree.js';
import { until } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service-in-process.js';

const clock = new ManualClock();
let media: MediaServer;
let service: Service;
let key: string;
beforeAll(async () => {
  media = await startMediaServer({});
  service = await startService({ workers: 0, clock, environment: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: media.url.slice('http://'.length) } });
  ({ key } = await service.createKey());
});
afterAll(async () => {
  await service.stop();
  await media.close();
});

const call = (path: string, body: unknown, as: string = key, signal?: AbortSignal) => callPreview(service.app.address, path, as, body, signal);
const plain = { width: 160, height: 90, scenes: [{ duration: 2, background: '#204060' }] };
const slow = (name: string) => ({ ...plain, scenes: [{ elements: [{ type: 'image', src: `${media.url}/slow-${name}.png` }] }] });
const work = (): string[] => readdirSync(join(service.dataDir, 'work'));

describe('a preview process', () => {
  test('is replaced after kill -9: its request fails, the next succeeds and no file remains', async () => {
    expect((await call('/frame', { movie: plain, time: 0 })).status).toBe(200);
    const [pid = 0] = service.app.previewPids;
    expect(previewPids()).toContain(pid);
    const interrupted = call('/frame', { movie: slow('kill'), time: 0 });
    await until(() => media.asked.includes('/slow-kill.png'));
    const family = processTree(pid).map((member) => member.pid);
    expect(family.length).toBeGreaterThan(1);
    process.kill(pid, 'SIGKILL');
    expect(await interrupted).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
    expect((await call('/frame', { movie: plain, time: 1 })).status).toBe(200);
    expect(service.app.previewPids).not.toContain(pid);
    await until(() => !work().includes(`preview-${pid}`));
    // Its engine exits with it.
    await until(() => family.every((member) => !processTree(process.pid).some((one) => one.pid === member && one.state !== 'Z')));
  });

  test('stops drawing when the client disconnects', async () => {
    for (const [path, more] of [
      ['/frame', { time: 0 }],
      ['/frames', { times: [0, 1] }],
      ['', {}],
    ] as const) {
      const name = `leave${path.replace('/', '-')}`;
      const leave = new AbortController();
      const abandoned = call(path, { movie: slow(name), ...more }, key, leave.signal).catch((error: Error) => error.name);
      await until(() => media.open.length === 1);
      leave.abort();
      expect(await abandoned).toBe('AbortError');
      await until(() => media.open.length === 0);
    }
    expect((await call('/frame', { movie: plain, time: 1 })).status).toBe(200);
  });

  test('draws other requests while one waits for downloads', async () => {
    const other = await service.createKey({ account: 'other' });
    const leave = new AbortController();
    const waiting = call('/frame', { movie: slow('others'), time: 0 }, key, leave.signal).catch(() => {});
    await until(() => media.open.length === 1);
    expect((await call('/frame', { movie: plain, time: 0 }, other.key)).status).toBe(200);
    leave.abort();
    await waiting;
  });
});

describe('preview limits', () => {
  test('allow 30 frames a second per account on every plan, with Retry-After', async () => {
    const one = await service.createKey({ account: 'hasty', plan: 'free' });
    const two = await service.createKey({ account: 'hasty', plan: 'free', mode: 'test' });
    const wrong = { movie: plain, time: -1 };
    const statuses: number[] = [];
    for (let index = 0; index < 30; index += 1) statuses.push((await call('/frame', wrong, index % 2 === 0 ? one.key : two.key)).status);
    expect(new Set(statuses)).toEqual(new Set([400]));
    const refused = await call('/frame', wrong, one.key);
    expect([refused.status, refused.body.error?.code, refused.headers.get('retry-after')]).toEqual([429, 'RATE_LIMIT_EXCEEDED', '1']);
    expect((await call('/frame', wrong)).status).toBe(400);
    clock.advance(1000);
    // A large script counts as several requests.
    const large = { ...wrong, comment: 'x'.repeat(10 * 256 * 1024) };
    for (const status of [400, 400, 429]) expect((await call('/frame', large, one.key)).status).toBe(status);
    expect((await call('/frame', wrong, one.key)).status).toBe(400);
    // Previews do not use up the rate limit of the plan; the other two requests do.
    const rest = await service.call('GET', '/api/jobs', { key: one.key });
    expect([rest.status, rest.headers.get('x-ratelimit-remaining')]).toEqual([200, '9']);
    for (const path of ['', '/frames']) await call(path, wrong, one.key);
    expect((await service.call('GET', '/api/jobs', { key: one.key })).headers.get('x-ratelimit-remaining')).toBe('6');
  });

  test.each([
    ['/frame', { time: 0 }],
    ['/frames', { times: [0] }],
  ])('two at a time of %s', async (path, more) => {
    const leave = new AbortController();
    const first = ['a', 'b'].map((name) => call(path, { movie: slow(`two${path.slice(1)}-${name}`), ...more }, key, leave.signal).catch(() => {}));
    await until(() => media.open.length === 2);
    const third = await call(path, { movie: plain, ...more });
    expect([third.status, third.body.error?.code, third.headers.get('retry-after')]).toEqual([429, 'RATE_LIMIT_EXCEEDED', '1']);
    // A process that starts while another stops waits for it.
    const patient = call(path, { movie: plain, ...more });
    leave.abort();
    expect((await patient).status).toBe(200);
    await Promise.all(first);
  });
});

test('disabled previews are reported in the response', async () => {
  const without = await startService({ workers: 0, environment: { FRAMEWRIGHT_PREVIEW_WORKERS: '0' } });
  try {
    const own = await without.createKey();
    for (const [path, more] of [
      ['', {}],
      ['/frame', { time: 0 }],
      ['/frames', { times: [0] }],
    ] as const) {
      const answer = await callPreview(without.app.address, path, own.key, { movie: plain, ...more });
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'FORBIDDEN']);
      expect(answer.body.error?.message).toContain('FRAMEWRIGHT_PREVIEW_WORKERS');
    }
  } finally {
    await without.stop();
  }
});

const faultyWorker = fileURLToPath(new URL('../../fixtures/workers/faulty-preview-worker.mjs', import.meta.url));

test('preview processes get no secrets of exports', async () => {
  const odd = await startService({ workers: 0, previewWorkerPath: faultyWorker });
  try {
    const own = await odd.createKey();
    const exports = [{ type: 'ftp', host: 'ftp.example.com', username: 'someone', password: 'Pass-{{secret}}-word' }];
    const answer = await callPreview(odd.app.address, '', own.key, {
      movie: { ...plain, exports, variables: { secret: 'hidden' } },
      variables: { other: 'covered' },
    });
    expect(answer.status, String(answer.bytes)).toBe(200);
    const [given] = answer.body.warnings ?? [];
    expect(given?.message).toContain('ftp.example.com');
    expect(given?.message).not.toMatch(/Pass-|hidden|covered/);
  } finally {
    await odd.stop();
  }
});

test('a process that hangs, exceeds its memory limit or exits is replaced', async () => {
  const workDir = mkdtempSync(join(tmpdir(), 'preview-odd-'));
  const reasons: string[] = [];
  const previews = createPreviews({
    maxProcesses: 1,
    scriptPath: faultyWorker,
    environment: {},
    workDir,
    log: { info() {}, warn: (fields) => reasons.push(String((fields as { reason: string }).reason)) },
    maxMemoryMb: 300,
    timing: { heartbeatTimeoutMs: 3000, checkIntervalMs: 20 },
  });
  const open = (comment: string) => previews.open({ accountId: 'one', script: { comment } }, new AbortController().signal);
  try {
    for (const [comment, reason] of [
      ['exit', 'exit code 3'],
      ['hang', 'no heartbeat'],
      ['grow', 'at most 300 MB'],
    ] as const) {
      await expect(open(comment)).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
      expect(reasons.at(-1)).toContain(reason);
      expect((await open('fine')).warnings).toEqual([{ path: '', message: '{"comment":"fine"}' }]);
    }
  } finally {
    await previews.close();
    rmSync(workDir, { recursive: true });
  }
});

test('an idle process stops and its folder is removed; the next request starts another', async () => {
  const workDir = mkdtempSync(join(tmpdir(), 'preview-pool-'));
  const config = loadConfig({ PATH: process.env.PATH, FRAMEWRIGHT_DATA_DIR: workDir });
  const previews = createPreviews({
    maxProcesses: 1,
    scriptPath: fileURLToPath(new URL('../../../dist/preview/drawing/preview-worker.js', import.meta.url)),
    environment: { ...config.jobs.workerEnvironment },
    workDir: config.storage.workDir,
    log: { info() {}, warn() {} },
    timing: { idleTimeoutMs: 100 },
  });
  try {
    for (let round = 0; round < 2; round += 1) {
      const summary = await previews.open({ accountId: 'one', script: plain }, new AbortController().signal);
      expect(summary).toMatchObject({ width: 160, frames: 60 });
      expect(previews.pids).toHaveLength(1);
      await until(() => previews.pids.length === 0 && readdirSync(config.storage.workDir).length === 0);
    }
  } finally {
    await previews.close();
    rmSync(workDir, { recursive: true });
  }
});
