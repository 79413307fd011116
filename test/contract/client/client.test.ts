import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Framewright, FramewrightError, type Job, type JobProgress, type MovieScript } from '../../../src/client/index.js';
import { temporaryFolder } from '../../support/cli.js';
import { type Fate, type FaultyProxy, type Passed, startFaultyProxy } from '../../support/faulty-proxy.js';
import { freePort } from '../../support/free-port.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let proxy: FaultyProxy;
let decide: (request: Passed, number: number) => Fate;
let key: string;
let accountId: string;
let accounts = 0;
beforeAll(async () => {
  proxy = await startFaultyProxy(
    () => service.app.address,
    (request, number) => decide(request, number),
  );
  // Downloads also go through the proxy.
  service = await startService({ environment: { FRAMEWRIGHT_PUBLIC_URL: proxy.url } });
});
beforeEach(async () => {
  decide = () => 'through';
  proxy.passed.length = 0;
  accounts += 1;
  ({ key, accountId } = await service.createKey({ account: `account ${accounts}` }));
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
});

const script = (comment = ''): MovieScript => movie(comment) as MovieScript;
const client = (settings: Partial<ConstructorParameters<typeof Framewright>[0]> = {}): Framewright =>
  new Framewright({ apiKey: key, baseUrl: proxy.url, maxPauseMs: 1000, ...settings });
const thrown = async (act: Promise<unknown>): Promise<FramewrightError> => {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FramewrightError);
  return error as FramewrightError;
};
const jobsOf = async (): Promise<number> => (await client().jobs.list()).total;
const on = (start: string, fates: Fate[]) => (request: Passed, number: number) =>
  `${request.method} ${request.path}`.startsWith(start) ? (fates[number - 1] ?? 'through') : 'through';

describe('render', () => {
  it('resolves with the finished job and reports progress', async () => {
    const seen: JobProgress[] = [];
    const gate = join(service.dataDir, `gate-${accounts}`);
    const onProgress = (progress: JobProgress): void => {
      seen.push(progress);
      // The render waits for the stream, so that it reports progress also on a busy machine.
      if (progress.stage === 'rendering_scene_1') writeFileSync(gate, '');
    };
    const job = await client().render(script(`ms=25 until=${gate}`), { onProgress });
    expect(job).toMatchObject({ status: 'completed', progress: 1, credits_used: 2, duration_seconds: 2, warnings: [] });
    expect(seen.map(({ stage }) => stage)).toContain('rendering_scene_1');
    expect(new Set(seen.map(({ jobId }) => jobId))).toEqual(new Set([job.job_id]));
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map(({ progress }) => progress).toSorted((left, right) => left - right));
    // The stream suffices: the job is read once, at its end.
    expect(proxy.of(`GET /api/jobs/${job.job_id}/progress`)).toHaveLength(1);
    expect(proxy.of(`GET /api/jobs/${job.job_id}`)).toHaveLength(2);
  });

  it('throws the code, message and job of a failed job', async () => {
    const error = await thrown(client().render(script('fail')));
    expect(error).toMatchObject({ code: 'RENDER_FAILED', message: 'scenes.0.elements.0.src could not be read.', status: undefined });
    expect(error.job).toMatchObject({ status: 'failed', credits_used: 0, job_id: error.jobId });
  });

  it('renders from a template', async () => {
    const { id } = await client().templates.create({ name: 'x', script: { scenes: [{ duration: '{{seconds}}' }], variables: { seconds: 3 } } });
    expect(await client().renderTemplate(id)).toMatchObject({ status: 'completed', estimated_credits: 3 });
    expect(await client().renderTemplate(id, { seconds: 7 })).toMatchObject({ estimated_credits: 7 });
    const outputs = [
      { name: 'a', format: 'mp4' as const },
      { name: 'b', format: 'webm' as const },
    ];
    expect(await client().submitTemplate(id, { seconds: 7 }, { outputs })).toMatchObject({ estimated_credits: 7 + 4 });
    expect(await thrown(client().renderTemplate('tpl_none'))).toMatchObject({ code: 'TEMPLATE_NOT_FOUND', status: 404 });
  });

  it.each<[string, Fate[]]>([
    ['its answer is lost twice', ['answer-lost', 'answer-lost']],
    ['it gets lost on the way', ['lost']],
    ['a gateway fails behind which it arrived', ['answer-lost', { status: 502, body: '<html>Bad gateway</html>' }, { status: 504 }]],
    ['it comes too often', [{ status: 429, headers: { 'retry-after': '1' }, body: '{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Too many."}}' }]],
  ])('submits once when %s', async (_title, fates) => {
    decide = on('POST /api/render', fates);
    const job = await client().render(script());
    expect(job.status).toBe('completed');
    expect(proxy.of('POST /api/render')).toHaveLength(fates.length + 1);
    expect(new Set(proxy.of('POST').map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await jobsOf()).toBe(1);
    expect(await service.balance(accountId)).toBe(998);
  });

  it('creates a new job each time unless a key is given', async () => {
    await client().render(script());
    await client().render(script());
    const [one, two] = [await client().render(script(), { idempotencyKey: 'order 7' }), await client().render(script(), { idempotencyKey: 'order 7' })];
    expect(one.job_id).toBe(two.job_id);
    expect(await jobsOf()).toBe(3);
    const other = await thrown(client().render(script('ms=1'), { idempotencyKey: 'order 7' }));
    expect(other).toMatchObject({ status: 400, path: 'Idempotency-Key' });
  });

  it('waits for Retry-After, and throws when it exceeds the maximum pause', async () => {
    decide = on('POST /api/render', [
      { status: 429, headers: { 'retry-after': '1' }, body: '{"error":{"code":"CONCURRENCY_LIMIT_EXCEEDED","message":"Wait."}}' },
    ]);
    const startedAt = performance.now();
    await client().submit(script());
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    decide = () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Later."}}' });
    expect(await thrown(client().submit(script()))).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 3600, status: 429, message: 'Later.' });
    expect(proxy.of('POST /api/render')).toHaveLength(3);
  });

  it('stops after the maximum number of retries', async () => {
    decide = () => 'lost';
    expect(await thrown(client({ retries: 2 }).submit(script()))).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined });
    expect(proxy.of('POST /api/render')).toHaveLength(3);
    const nobody = new Framewright({ apiKey: key, baseUrl: `http://127.0.0.1:${await freePort()}`, retries: 0 });
    expect((await thrown(nobody.credits())).message).toMatch(/^GET \/api\/credits was not answered: .*ECONNREFUSED/);
  });

  it('does not retry permanent errors', async () => {
    const wrong = await thrown(client().render({ scenes: [{ elements: [{ type: 'text', text: 7 as unknown as string }] }] }));
    expect(wrong).toMatchObject({ code: 'SCHEMA_VALIDATION_ERROR', status: 400, path: 'scenes.0.elements.0.text' });
    const costly = await thrown(client().render(movie('', 5000) as MovieScript));
    expect(costly).toMatchObject({ code: 'INSUFFICIENT_CREDITS', status: 402, required: 5000, balance: 1000 });
    expect(await thrown(client({ apiKey: 've_live_wrong' }).credits())).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    expect(proxy.passed).toHaveLength(3);
  });
});

describe('the progress of a job', () => {
  it('continues after a broken stream', async () => {
    const { job_id } = await client().submit(script('ms=1500'));
    decide = on(`GET /api/jobs/${job_id}/progress`, [{ cutAfter: 400 }, 'lost']);
    const seen: number[] = [];
    const job = await client().jobs.wait(job_id, { onProgress: ({ progress }) => seen.push(progress) });
    expect(job.status).toBe('completed');
    const streams = proxy.of(`GET /api/jobs/${job_id}/progress`);
    expect(streams).toHaveLength(3);
    expect(Number(streams[2]?.headers['last-event-id'])).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(1);
  });

  it.each<[string, Fate]>([
    ['are answered by something else', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['are too many', { status: 429, headers: { 'retry-after': '60' }, body: '{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Many."}}' }],
  ])('is asked for where streams %s', async (_title, fate) => {
    const gate = join(service.dataDir, `gate-${accounts}`);
    const { job_id } = await client().submit(script(`until=${gate}`));
    decide = (request) => (request.path.endsWith('/progress') ? fate : 'through');
    const seen: JobProgress[] = [];
    const onProgress = (progress: JobProgress): void => {
      seen.push(progress);
      writeFileSync(gate, '');
    };
    const job = await client().jobs.wait(job_id, { onProgress });
    expect(job.status).toBe('completed');
    expect(seen.length).toBeGreaterThan(0);
    expect(proxy.of(`GET /api/jobs/${job_id}/progress`)).toHaveLength(1);
  });

  it('resolves for a job that has already finished', async () => {
    const { job_id } = await client().submit(script());
    await service.waitForEnd(key, job_id);
    expect((await client().jobs.wait(job_id)).status).toBe('completed');
  });

  it('of an unknown job is an error', async () => {
    expect(await thrown(client().jobs.wait('none'))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('rejects with the reason of the signal, and with exceptions of onProgress', async () => {
    const controller = new AbortController();
    const reason = new Error('the window was closed');
    const gate = join(service.dataDir, `gate-${accounts}`);
    const waiting = client().render(script(`until=${gate}`), { signal: controller.signal, onProgress: () => controller.abort(reason) });
    await expect(waiting).rejects.toBe(reason);
    const own = new Error('mine');
    const { job_id } = (await client().jobs.list()).jobs[0] as Job;
    const throwing = client().jobs.wait(job_id, {
      onProgress: () => {
        throw own;
      },
    });
    await expect(throwing).rejects.toBe(own);
    writeFileSync(gate, '');
  });
});

describe('download', () => {
  it('writes to a Blob, a file or a stream, and does not send the key', async () => {
    const folder = await temporaryFolder();
    const job = await client().render(script());
    const bytes = Buffer.from(await (await fetch(job.output_uri ?? '')).arrayBuffer());
    const blob = await client().download(job);
    expect([blob.type, Buffer.from(await blob.arrayBuffer()).equals(bytes)]).toEqual(['video/mp4', true]);
    const path = join(folder.path, 'video.mp4');
    const seen: Array<[number, number]> = [];
    await client().download(job.output_uri ?? '', { to: path, onProgress: (received, total) => seen.push([received, total]) });
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect(seen.at(-1)).toEqual([1000, 1000]);
    const parts: Uint8Array[] = [];
    await client().download(job, { to: new WritableStream<Uint8Array>({ write: (part) => void parts.push(part) }) });
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    expect(await readdir(folder.path)).toEqual(['video.mp4']);
    expect(proxy.of('GET /outputs/').some(({ headers }) => 'x-api-key' in headers)).toBe(false);
    await folder.remove();
  });

  it('resumes after a lost connection', async () => {
    const folder = await temporaryFolder();
    const job = await client().render(script());
    const whole = Buffer.from(await (await client().download(job)).arrayBuffer());
    const before = proxy.of('GET /outputs/').length;
    let number = 0;
    decide = (request) => {
      if (!request.path.startsWith('/outputs/')) return 'through';
      number += 1;
      return number === 1 ? { cutAfter: 300 } : number === 2 ? 'lost' : number === 3 ? { cutAfter: 500 } : 'through';
    };
    const path = join(folder.path, 'video.mp4');
    await client().download(job, { to: path });
    expect((await readFile(path)).equals(whole)).toBe(true);
    const ranges = proxy
      .of('GET /outputs/')
      .slice(before)
      .map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, 'bytes=300-', 'bytes=300-', 'bytes=800-']);
    await folder.remove();
  });

  it('removes an incomplete file, and reports a missing video', async () => {
    const folder = await temporaryFolder();
    const job = await client().render(script());
    decide = (request) => (request.path.startsWith('/outputs/') ? { cutAfter: 0 } : 'through');
    expect((await thrown(client({ retries: 1 }).download(job, { to: join(folder.path, 'video.mp4') }))).code).toBe('CONNECTION_FAILED');
    expect(await readdir(folder.path)).toEqual([]);
    decide = () => 'through';
    expect((await thrown(client().download(`${proxy.url}/outputs/none.mp4`))).code).toBe('OUTPUT_UNAVAILABLE');
    const failed = (await thrown(client().render(script('fail')))).job as Job;
    expect((await thrown(client().download(failed))).message).toBe('The job has no video (failed).');
    await folder.remove();
  });
});

it('lists jobs, and reads credits and templates', async () => {
  const mine = client();
  await mine.render(script());
  await thrown(mine.render(script('fail')));
  expect(await mine.jobs.list({ status: 'failed', limit: 1 })).toMatchObject({ total: 1, page: 1, limit: 1, jobs: [{ status: 'failed' }] });
  expect((await mine.jobs.list()).jobs.map(({ status }) => status)).toEqual(['failed', 'completed']);
  expect(await mine.credits()).toMatchObject({ credits_remaining: 998, mode: 'live' });

  const { id } = await mine.templates.create({ name: 'Greeting', script: { scenes: [{ elements: [{ type: 'text', text: '{{name}}' }] }] } });
  expect(await mine.templates.list()).toMatchObject([{ id, name: 'Greeting', is_public: false }]);
  expect(await mine.templates.update(id, { name: 'Warm' })).toMatchObject({ id, name: 'Warm' });
  expect(await mine.templates.get(id)).toMatchObject({ name: 'Warm', script: { scenes: [{ elements: [{ text: '{{name}}' }] }] } });
  await mine.templates.delete(id);
  expect(await thrown(mine.templates.get(id))).toMatchObject({ code: 'NOT_FOUND' });
});

it('a template is not created twice when the response is lost', async () => {
  decide = on('POST /api/templates', ['answer-lost']);
  expect((await thrown(client().templates.create({ name: 'x', script: script() }))).code).toBe('CONNECTION_FAILED');
  expect(await client().templates.list()).toHaveLength(1);
});

it('rejects invalid options', () => {
  expect(() => new Framewright({ apiKey: '' })).toThrow('apiKey must be an API key of the service');
  expect(() => new Framewright({ apiKey: 'x', baseUrl: 'localhost:8080' })).toThrow('baseUrl must be an http or https address, not "localhost:8080".');
});
