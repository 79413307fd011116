import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JobRecordStore } from '../../../src/jobs/index.js';
import { writeWav } from '../../../src/providers/speech/audio/wav.js';
import { temporaryFolder } from '../../support/cli.js';
import { ffmpeg } from '../../support/ffmpeg.js';
import { type Receiver, startReceiver, until } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service-in-process.js';
import { databaseEnvironment } from '../../support/test-database.js';

const realWorker = fileURLToPath(new URL('../../../dist/worker.js', import.meta.url));

let files: Awaited<ReturnType<typeof temporaryFolder>>;
let image: Buffer;
let clip: Buffer;
/** A minute of silence. */
const minute = writeWav({ sampleRate: 8000, samples: new Float32Array(60 * 8000) });
/** One second of a tone, as the speech service sends it. */
const tone = writeWav({ sampleRate: 16_000, samples: Float32Array.from({ length: 16_000 }, (_, index) => Math.sin(index / 10) / 3) });
beforeAll(async () => {
  files = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'color=0x20c040:s=64x36', '-frames:v', '1', join(files.path, 'image.png'));
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'color=red:s=64x36:r=10:d=2',
    '-f',
    'lavfi',
    '-i',
    'sine=d=2',
    '-pix_fmt',
    'yuv420p',
    '-shortest',
    join(files.path, 'clip.mp4'),
  );
  [image, clip] = await Promise.all([readFile(join(files.path, 'image.png')), readFile(join(files.path, 'clip.mp4'))]);
});
afterAll(() => files.remove());

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let provider: Receiver;
let service: Service;
let key: string;
let accountId: string;
/** Handles a request to a provider before it is answered; true if it has answered. */
let intercept: (path: string, body: string, response: ServerResponse) => boolean | Promise<boolean>;

beforeEach(async () => {
  intercept = () => false;
  folder = await temporaryFolder();
  provider = await startReceiver(async (request, response) => {
    const path = request.url ?? '';
    const { body } = provider.received.findLast((one) => one.path === path) ?? { body: '' };
    if (await intercept(path, body, response)) return;
    if (path === '/free.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(image);
    if (path === '/clip.mp4') return response.writeHead(200, { 'content-type': 'video/mp4' }).end(clip);
    if (path === '/minute.wav') return response.writeHead(200, { 'content-type': 'audio/wav' }).end(minute);
    if (path === '/v1/audio/speech') return response.writeHead(200, { 'content-type': 'audio/wav' }).end(tone);
    if (path === '/v1/audio/transcriptions')
      return response.writeHead(200).end(JSON.stringify({ text: 'Hello', words: [{ word: 'Hello', start: 0, end: 1 }] }));
    if (path === '/v1/images/generations') return response.writeHead(200).end(JSON.stringify({ data: [{ b64_json: image.toString('base64') }] }));
    return response.writeHead(404).end();
  });
  await start();
  ({ key, accountId } = await service.createKey({ credits: 100 }));
});
afterEach(async () => {
  await service.stop();
  await provider.close();
  await folder.remove();
});

async function start(environment: Record<string, string> = {}): Promise<void> {
  const { origin, host } = new URL(provider.url);
  service = await startService({
    dataDir: folder.path,
    workerPath: realWorker,
    environment: {
      ...(await databaseEnvironment(folder.path)),
      FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: host,
      FRAMEWRIGHT_VOICE_OPENAI_ENDPOINT: `${origin}/v1`,
      FRAMEWRIGHT_VOICE_OPENAI_PRICE: '1',
      FRAMEWRIGHT_IMAGE_API_URL: origin,
      FRAMEWRIGHT_IMAGE_API_PRICE: '4',
      FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: `${origin}/v1`,
      FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_PRICE: '30',
      ...environment,
    },
  });
}

/** A voice of 1,000 characters, which costs one credit. */
const voice = (text: string, more: object = {}) => ({ type: 'voice', model: 'openai', text: text.padEnd(1000, 'x'), ...more });
const prompt = (text: string) => ({ type: 'image', prompt: text });
const free = (name: string) => ({ type: 'image', src: new URL(name, provider.url).href });
/** A movie of one second. */
const movie = (...elements: object[]) => ({ width: 64, height: 36, fps: 5, scenes: [{ duration: 1, elements }] });

async function submit(script: object) {
  const { body, status } = await service.call('POST', '/api/render', { key, body: script });
  expect(status, JSON.stringify(body)).toBe(202);
  return body as { job_id: string; estimated_credits: number };
}

async function render(script: object) {
  const { job_id, estimated_credits } = await submit(script);
  const job = await service.waitForEnd(key, job_id);
  return { ...job, estimated_credits };
}

const paths = () => provider.received.map(({ path }) => path);
const paid = () => paths().filter((path) => path.startsWith('/v1/'));

describe('a movie that uses provider services', () => {
  it('pays for the render and for 20 voices, not for the render alone', async () => {
    const job = await render(movie(...Array.from({ length: 20 }, (_, index) => voice(`voice ${index} `))));
    expect(job).toMatchObject({ status: 'completed', estimated_credits: 21, credits_used: 21, provider_credits: 20 });
    expect(await service.balance(accountId)).toBe(79);
    const rows = await service.app.db.selectFrom('provider_purchases').selectAll().execute();
    expect(rows).toHaveLength(20);
    expect(await new JobRecordStore(service.app.db).listPurchases(job.job_id)).toHaveLength(20);
    expect(rows[0]).toMatchObject({ job_id: job.job_id, kind: 'speech', provider: 'openai', quantity: 1000, microcredits: 1e6 });
  });

  it('buys nothing and pays nothing if a free file cannot be fetched', async () => {
    const slow = free('/missing.png');
    intercept = async (path) => {
      // Late, so that nothing but the order of the work keeps the providers from being called.
      if (path === '/missing.png') await new Promise((resolve) => setTimeout(resolve, 500));
      return false;
    };
    expect(await render(movie(voice('a'), prompt('b'), slow))).toMatchObject({ status: 'failed', credits_used: 0 });
    expect(paid()).toEqual([]);
    expect(await service.balance(accountId)).toBe(100);
  });

  it.each([
    ['captions', () => ({ type: 'subtitles', captions: new URL('/missing.srt', provider.url).href })],
    ['a mask', () => ({ ...free('/free.png'), mask: new URL('/missing.png', provider.url).href })],
    ['a page', () => ({ type: 'html', src: new URL('/missing.html', provider.url).href, width: 64, height: 36 })],
  ])('buys nothing if %s cannot be fetched', async (_name, broken) => {
    expect(await render(movie(voice('a'), broken()))).toMatchObject({ status: 'failed', credits_used: 0 });
    expect(paid()).toEqual([]);
  });

  it('pays for what was bought when a later purchase fails, and gets the rest back', async () => {
    intercept = (path, _body, response) => {
      if (path !== '/v1/images/generations') return false;
      response.writeHead(400).end(JSON.stringify({ error: { message: 'refused' } }));
      return true;
    };
    const job = await render(movie(voice('a'), prompt('b')));
    expect(job).toMatchObject({
      status: 'failed',
      estimated_credits: 6,
      credits_used: 1,
      provider_credits: 1,
      error: { code: 'RENDER_FAILED', message: expect.stringContaining('refused. 1 credit was charged for what was bought from provider services.') },
    });
    expect(await service.balance(accountId)).toBe(99);
  });

  it('finishes purchases under way when another one fails, and starts no more', async () => {
    let refuse = (): void => {};
    const isSpeaking = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    intercept = async (path, body, response) => {
      if (path === '/v1/audio/speech') {
        refuse();
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      if (path !== '/v1/images/generations') return false;
      await isSpeaking;
      response.writeHead(400).end(body);
      return true;
    };
    const job = await render(movie(...['a', 'b', 'c', 'd'].map((text) => voice(text)), prompt('e')));
    expect(job).toMatchObject({ status: 'failed', credits_used: 2 });
    expect(paid().filter((path) => path === '/v1/audio/speech')).toHaveLength(2);
  });

  it('pays nothing for cached results', async () => {
    const script = movie(voice('a'), prompt('b'), free('/free.png'));
    expect(await render(script)).toMatchObject({ credits_used: 6 });
    const calls = paid().length;
    expect(await render(script)).toMatchObject({ status: 'completed', estimated_credits: 6, credits_used: 1 });
    expect(paid()).toHaveLength(calls);
    expect(await service.balance(accountId)).toBe(93);
  });

  it('pays once when its render process is killed between two purchases, the first of them cached', async () => {
    let isKilled = false;
    intercept = async (path, body) => {
      if (path !== '/v1/audio/speech' || isKilled || !body.includes('second')) return false;
      await until(async () => (await readdir(join(folder.path, 'voices')).catch(() => [])).some((name) => name.endsWith('.json')));
      isKilled = true;
      for (const pid of service.app.pool.pids) process.kill(pid, 'SIGKILL');
      return false;
    };
    const job = await render(movie(voice('first'), voice('second')));
    expect(job).toMatchObject({ status: 'completed', credits_used: 3, provider_credits: 2 });
    expect(paid()).toHaveLength(3);
    expect(await service.balance(accountId)).toBe(97);
  });

  it('pays once when the results of its first attempt are not cached', async () => {
    await service.stop();
    await start({ FRAMEWRIGHT_VOICE_CACHE_MB: '0' });
    let isKilled = false;
    intercept = async (path, body) => {
      if (path !== '/v1/audio/speech' || isKilled || !body.includes('second')) return false;
      await until(async () => (await service.app.db.selectFrom('provider_purchases').selectAll().execute()).length > 0);
      isKilled = true;
      for (const pid of service.app.pool.pids) process.kill(pid, 'SIGKILL');
      return false;
    };
    expect(await render(movie(voice('first'), voice('second')))).toMatchObject({ status: 'completed', credits_used: 3 });
    expect(paid()).toHaveLength(4);
  });

  it('pays for transcripts by the length of the file, and not for one that fails', async () => {
    const script = movie({ type: 'video', src: new URL('/clip.mp4', provider.url).href }, { type: 'subtitles' });
    expect(await render(script)).toMatchObject({ status: 'completed', estimated_credits: 6, credits_used: 2, provider_credits: 1 });
    intercept = (path, _body, response) => {
      if (path !== '/v1/audio/transcriptions') return false;
      response.writeHead(400).end();
      return true;
    };
    expect(await render(script)).toMatchObject({ status: 'completed', credits_used: 1 });
  });

  it('buys each text that depends on the length of another voice once that is known', async () => {
    const job = await render({ ...movie(voice('a', { id: 'one' }), voice('{{one_duration > 20}}')), variables: {} });
    expect(job).toMatchObject({ status: 'completed', credits_used: 4 });
    expect(provider.received.map(({ body }) => (JSON.parse(body) as { input: string }).input.slice(0, 5)).sort()).toEqual(['axxxx', 'false', 'truex']);
  });

  it('fails before it buys if its balance does not cover the lengths of its files', async () => {
    const poor = await service.createKey({ account: 'poor', credits: 10 });
    const script = movie({ type: 'audio', src: new URL('/minute.wav', provider.url).href }, { type: 'subtitles' });
    const { body } = await service.call('POST', '/api/render', { key: poor.key, body: script });
    expect(body).toMatchObject({ estimated_credits: 6 });
    expect(await service.waitForEnd(poor.key, String(body.job_id))).toMatchObject({
      status: 'failed',
      credits_used: 0,
      error: { message: 'The movie costs 31 credits, 25 more than estimated, and the balance does not cover the difference. Nothing was charged.' },
    });
    expect(paid()).toEqual([]);
    expect(await service.balance(poor.accountId)).toBe(10);
  });

  it('fails before it buys more than is allowed per movie', async () => {
    await service.stop();
    await start({ FRAMEWRIGHT_PROVIDER_CREDITS_PER_MOVIE: '20' });
    const script = movie({ type: 'audio', src: new URL('/minute.wav', provider.url).href }, { type: 'subtitles' });
    expect(await render(script)).toMatchObject({
      status: 'failed',
      error: { message: 'Provider services for this movie cost 30 credits; up to 20 are allowed per movie on this host. Nothing was charged.' },
    });
    expect(paid()).toEqual([]);
  });
});
