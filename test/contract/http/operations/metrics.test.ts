import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cli.js';
import { ffmpeg } from '../../../support/ffmpeg.js';
import { answer, type Receiver, startReceiver } from '../../../support/receiver.js';
import { movie, type Service, startService } from '../../../support/service-in-process.js';
import { type LocalServer, startServer } from '../../../unit/outbound/local-server.js';

/** Metrics of render processes and webhooks, read from a real scrape. */
const realWorker = fileURLToPath(new URL('../../../../dist/worker.js', import.meta.url));

let files: LocalServer;
let image: Buffer;
let receiver: Receiver;
let service: Service;
let key: string;
beforeAll(async () => {
  const folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1', `${folder.path}/picture.png`);
  image = await readFile(`${folder.path}/picture.png`);
  await folder.remove();
  files = await startServer((request, response) => {
    if (request.url === '/picture.png') response.end(image);
    else if (request.url === '/elsewhere') response.writeHead(302, { location: 'http://127.0.0.2/' }).end();
    else response.writeHead(404).end();
  });
  receiver = await startReceiver(answer(500));
  service = await startService({
    workerPath: realWorker,
    environment: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: `${files.host},${new URL(receiver.url).host}`, FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: '3600' },
  });
  ({ key } = await service.createKey());
});
afterAll(async () => {
  await service.stop();
  await files.close();
  await receiver.close();
});

async function sample(of: Service, name: string): Promise<number> {
  const { text } = await of.call('GET', '/metrics');
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
}

const withImage = (src: string, more: object = {}): object => ({
  width: 64,
  height: 64,
  ...more,
  scenes: [{ duration: 0.2, elements: [{ type: 'image', src }] }],
});

async function submit(of: Service, apiKey: string, script: object): Promise<string> {
  const { status, body } = await of.call('POST', '/api/render', { key: apiKey, body: script });
  expect(status).toBe(202);
  return String(body.job_id);
}

it('exposes every metric from the start', async () => {
  const { text } = await service.call('GET', '/metrics');
  for (const name of ['media_fetch_total', 'media_fetch_bytes_total', 'ssrf_blocked_total', 'webhook_attempts_total', 'webhook_backlog', 'export_backlog']) {
    expect(text).toContain(`# TYPE ${name} `);
  }
  for (const name of ['encoder_sessions', 'encoder_fallback_total', 'render_duration_seconds']) expect(text).toContain(`# TYPE ${name} `);
  expect(await sample(service, 'ssrf_blocked_total{sink="media"}')).toBe(0);
  expect(await sample(service, 'webhook_attempts_total{result="delivered"}')).toBe(0);
});

it('counts downloads, refused addresses and encoded frames of a render process', async () => {
  const ends = [];
  for (const path of ['/picture.png', '/missing.png', '/elsewhere']) {
    ends.push((await service.waitForEnd(key, await submit(service, key, withImage(files.origin + path)))).status);
  }
  expect(ends).toEqual(['completed', 'failed', 'failed']);
  expect(await sample(service, 'media_fetch_total{result="ok"}')).toBe(1);
  expect(await sample(service, 'media_fetch_total{result="failed"}')).toBe(1);
  expect(await sample(service, 'media_fetch_total{result="blocked"}')).toBe(1);
  expect(await sample(service, 'media_fetch_bytes_total')).toBe(image.length);
  expect(await sample(service, 'ssrf_blocked_total{sink="media"}')).toBe(1);
  expect(await sample(service, 'render_duration_seconds_count{encoder="libx264"}')).toBe(1);
  expect(await sample(service, 'render_duration_seconds_count{encoder="none"}')).toBe(2);
  expect(await sample(service, 'encoder_sessions{gpu="none",encoder="libx264"}')).toBe(0);
});

it('counts webhook attempts and pending webhooks', async () => {
  const jobId = await submit(service, key, withImage(`${files.origin}/picture.png`, { webhook_uri: receiver.url }));
  await service.waitForEnd(key, jobId);
  await receiver.waitFor(1);
  await expect.poll(() => sample(service, 'webhook_attempts_total{result="failed"}')).toBe(1);
  expect(await sample(service, 'webhook_backlog')).toBe(1);
});

it('counts failed deliveries by kind', async () => {
  const exports = [{ type: 'webhook', endpoint: `${files.origin}/refuses` }];
  await submit(service, key, withImage(`${files.origin}/picture.png`, { exports }));
  await expect.poll(() => sample(service, 'deliveries_failed{kind="export"}'), { timeout: 30_000 }).toBe(1);
  expect(await sample(service, 'deliveries_failed{kind="webhook"}')).toBe(0);
  expect(await sample(service, 'export_backlog')).toBe(0);
});

it('counts forbidden addresses in submissions, but not malformed ones', async () => {
  for (const src of ['http://127.0.0.2/x.png', 'file:///etc/passwd', 'picture.png']) {
    const { status } = await service.call('POST', '/api/render', { key, body: withImage(src) });
    expect(status).toBe(400);
  }
  expect(await sample(service, 'ssrf_blocked_total{sink="script"}')).toBe(2);
});

it('counts open encoders, also of a render process that dies', async () => {
  // One segment with constant motion; a still one finishes too fast.
  const text = { type: 'text', text: 'moving', font_size: 300, zoom: 5 };
  const long = { width: 1920, height: 1080, cache: false, scenes: [{ duration: 20, elements: [text] }] };
  const jobId = await submit(service, key, long);
  const name = 'encoder_sessions{gpu="none",encoder="libx264"}';
  for (const round of [1, 2]) {
    await expect.poll(() => sample(service, name), { timeout: 30_000, message: `attempt ${round}` }).toBe(1);
    for (const pid of service.app.pool.pids) process.kill(pid, 'SIGKILL');
    await expect.poll(() => sample(service, name)).toBe(0);
  }
  expect((await service.waitForEnd(key, jobId)).status).toBe('failed');
});

it('counts scenes and sound that come from the segment cache', async () => {
  const script = (background: string): object => ({ width: 64, height: 64, scenes: [{ duration: 0.2 }, { duration: 0.2, background }] });
  const names = ['hits_total{part="picture"}', 'misses_total{part="picture"}', 'hits_total{part="sound"}', 'bytes_total{direction="read"}'];
  const counts = (): Promise<number[]> => Promise.all(names.map((name) => sample(service, `segment_cache_${name}`)));
  const start = await counts();
  for (const colour of ['#112233', '#332211', '#112233']) {
    expect((await service.waitForEnd(key, await submit(service, key, script(colour)))).status).toBe('completed');
  }
  const seen = (await counts()).map((count, k) => count - (start[k] ?? 0));
  expect(seen.slice(0, 3)).toEqual([3, 3, 0]);
  expect(seen[3]).toBeGreaterThan(300);
});

it('counts fallbacks to another encoder', async () => {
  const small = await startService();
  const { key: smallKey } = await small.createKey();
  const observed = JSON.stringify([
    { kind: 'encoder-fallback', from: 'h264_nvenc', to: 'libx264', reason: 'failed' },
    { kind: 'frame-interop', backend: 'cuda' },
    { kind: 'clip-decode', backend: 'nvdec' },
  ]);
  await small.waitForEnd(smallKey, await submit(small, smallKey, movie(`observe=${observed}`)));
  expect(await sample(small, 'encoder_fallback_total{from="h264_nvenc",to="libx264",reason="failed"}')).toBe(1);
  const samples = [
    'segment_interop_total{backend="cuda"}',
    'clip_decode_total{backend="nvdec"}',
    'frame_handover_total{way="cuda"}',
    'film_decode_total{way="nvdec"}',
  ];
  for (const name of samples) expect(await sample(small, name), name).toBe(1);
  await small.stop();
});
