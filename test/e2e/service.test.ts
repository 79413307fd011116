import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/cli.js';
import { ffmpeg, ffprobe } from '../support/ffmpeg.js';
import type { RunningService } from '../support/service.js';
import { createKey, finishedJob, jobOf, startService, submit } from '../support/service.js';

let folder: { path: string; remove: () => Promise<void> };
let media: Server;
let mediaUrl: string;
let service: RunningService;
let key: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=640x360:r=30:d=3',
    '-f',
    'lavfi',
    '-i',
    'sine=440:d=3',
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    join(folder.path, 'clip.mp4'),
  );
  await ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=1600x900', '-frames:v', '1', join(folder.path, 'photo.jpg'));
  await writeFile(join(folder.path, 'broken.jpg'), 'not a picture at all');
  media = createServer((request, response) => {
    const file = createReadStream(join(folder.path, basename(request.url ?? '')));
    file.on('error', () => response.writeHead(404).end());
    file.pipe(response);
  });
  await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
  const { port } = media.address() as AddressInfo;
  mediaUrl = `http://127.0.0.1:${port}`;
  service = await startService(join(folder.path, 'data'), { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` });
  key = await createKey(join(folder.path, 'data'));
});
afterAll(async () => {
  await service.stop();
  media.close();
  await folder.remove();
});

const movie = (seconds = 3) => ({
  width: 640,
  height: 360,
  scenes: [
    {
      duration: seconds,
      elements: [
        { type: 'image', src: `${mediaUrl}/photo.jpg`, resize: 'cover', zoom: 3 },
        { type: 'text', style: '003', text: 'A real movie', font_size: 48 },
      ],
    },
    { duration: 3, transition: { style: 'wipeleft', duration: 0.5 }, elements: [{ type: 'video', src: `${mediaUrl}/clip.mp4` }] },
  ],
});

test('a script becomes a file, with each stage reported', async () => {
  const { job_id, estimated_credits, credits_remaining } = await submit(service, key, movie());
  expect(estimated_credits).toBe(6);
  expect(credits_remaining).toBe(1000 - 6);
  const events = await readEvents(`${service.url}/api/jobs/${job_id}/progress?apiKey=${key}`);
  const stages = events.filter((event) => event.name === 'progress').map((event) => event.data.stage);
  expect(stages).toContain('rendering_scene_1');
  expect(stages).toContain('rendering_scene_2');
  expect(events.at(-1)?.name).toBe('complete');
  const job = await jobOf(service, key, job_id);
  expect(job).toMatchObject({ status: 'completed', progress: 1, stage: 'complete', duration_seconds: 6, credits_used: 6 });
  expect(events.at(-1)?.data).toMatchObject({ outputUri: job.output_uri, creditsUsed: 6, durationSeconds: 6 });
  const response = await fetch(job.output_uri ?? '');
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.length).toBe(events.at(-1)?.data.fileSizeBytes);
  const path = join(folder.path, 'downloaded.mp4');
  await writeFile(path, bytes);
  const { format, streams } = ffprobe(path);
  expect(Number(format.duration)).toBeCloseTo(6, 2);
  expect(streams.map((stream) => stream.codec_name).sort()).toEqual(['aac', 'h264']);
  expect(streams.find((stream) => stream.codec_type === 'video')?.nb_frames).toBe('180');
});

test('a broken file fails the job with the element’s name and without a charge', async () => {
  const script = { width: 320, height: 180, scenes: [{ duration: 2, elements: [{ type: 'image', src: `${mediaUrl}/broken.jpg` }] }] };
  const before = await submit(service, key, script);
  const job = await finishedJob(service, key, before.job_id);
  expect(job).toMatchObject({ status: 'failed', credits_used: 0, error: { code: 'RENDER_FAILED' } });
  expect(job.error?.message).toContain('scenes.0.elements.0');
  const after = await submit(service, key, { width: 320, height: 180, scenes: [{ duration: 1 }] });
  expect(after.credits_remaining).toBe(before.credits_remaining + 2 - 1);
  await finishedJob(service, key, after.job_id);
});

test('an invalid script never reaches the engine', async () => {
  const response = await fetch(`${service.url}/api/render`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ scenes: [{ elements: [{ type: 'image' }] }] }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'SCHEMA_VALIDATION_ERROR', path: 'scenes.0.elements.0.src' } });
});

test('a killed render process uses up one attempt; job and service continue', async () => {
  const { job_id } = await submit(service, key, movie(80));
  await waitForStage(job_id, 'rendering_scene_1');
  const [worker] = service.workers();
  expect(worker).toBeDefined();
  process.kill(worker ?? 0, 'SIGKILL');
  expect((await fetch(`${service.url}/api/jobs/${job_id}`, { headers: { 'x-api-key': key } })).status).toBe(200);
  const job = await finishedJob(service, key, job_id, 90_000);
  expect(job).toMatchObject({ status: 'completed', duration_seconds: 83, credits_used: 83 });
  expect(service.workers()).not.toContain(worker);
}, 120_000);

test('a sandbox key renders a whole job fast and for free', async () => {
  const testKey = await createKey(join(folder.path, 'data'), { mode: 'test' });
  const startedAt = Date.now();
  const { job_id, credits_remaining } = await submit(service, testKey, movie(60));
  const job = await finishedJob(service, testKey, job_id);
  expect(Date.now() - startedAt).toBeLessThan(20_000);
  expect(job).toMatchObject({ status: 'completed', credits_used: 0, duration_seconds: 63 });
  const again = await submit(service, testKey, movie(60));
  expect(again.credits_remaining).toBe(credits_remaining);
  await writeFile(join(folder.path, 'mock.mp4'), Buffer.from(await (await fetch(job.output_uri ?? '')).arrayBuffer()));
  expect(ffprobe(join(folder.path, 'mock.mp4')).streams[0]?.codec_name).toBe('h264');
});

/** Polls rarely enough for 120 requests per minute, even on a slow host. */
async function waitForStage(jobId: string, stage: string): Promise<void> {
  for (let tries = 0; tries < 80; tries++) {
    const job = await jobOf(service, key, jobId);
    if (job.stage === stage && job.progress > 0.1) return;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  throw new Error(`stage ${stage} did not come: ${JSON.stringify(await jobOf(service, key, jobId))}`);
}

interface ServerEvent {
  name: string;
  data: Record<string, unknown>;
}

async function readEvents(url: string): Promise<ServerEvent[]> {
  const text = await (await fetch(url)).text();
  return text
    .split('\n\n')
    .filter((block) => block.includes('event:'))
    .map((block) => ({
      name: /^event: ?(.*)$/m.exec(block)?.[1] ?? '',
      data: JSON.parse(/^data: ?(.*)$/m.exec(block)?.[1] ?? '{}') as Record<string, unknown>,
    }));
}
