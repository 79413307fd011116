import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withLocalRender } from '../../src/cli/local-render.js';
import { loadConfig } from '../../src/config/index.js';
import { planMovie, type RenderContext, renderMovie } from '../../src/render/index.js';
import { decodeFrames, ffmpeg, ffprobe, pixelAt } from '../support/ffmpeg.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { createKey, finishedJob, startService, submit } from '../support/service.js';

const KEY = 'sk-the-operators-own';
let folder: string;
let provider: Receiver;
let kind: 'picture' | 'text' | 'refusal' = 'picture';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-generation-'));
  const [image, video] = [join(folder, 'made.png'), join(folder, 'made.mp4')];
  await ffmpeg('-f', 'lavfi', '-i', 'color=0x20c040:s=150x100', '-frames:v', '1', image);
  await ffmpeg('-f', 'lavfi', '-i', 'color=0xc02020:s=160x90:r=25:d=2', '-pix_fmt', 'yuv420p', video);
  const [imageBytes, videoBytes] = await Promise.all([readFile(image), readFile(video)]);
  provider = await startReceiver((request, response) => {
    if (request.url === '/v1/images/generations') {
      if (kind === 'refusal') return response.writeHead(400).end(JSON.stringify({ error: { message: `no such thing, Bearer ${KEY}` } }));
      const bytes = kind === 'picture' ? imageBytes : Buffer.from('I am no picture');
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [{ b64_json: bytes.toString('base64') }] }));
    }
    if (request.url?.endsWith('/content')) return response.writeHead(200, { 'content-type': 'video/mp4' }).end(videoBytes);
    return response.writeHead(200).end(JSON.stringify({ id: 'video_1', status: request.method === 'POST' ? 'queued' : 'completed' }));
  });
});
afterAll(async () => {
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;

/** The parts of a render as the command line creates them. */
function withParts<T>(act: (parts: RenderContext, workDir: string) => Promise<T>, settings: Record<string, string> = {}): Promise<T> {
  const url = new URL(provider.url).origin;
  const config = loadConfig({
    ...process.env,
    FRAMEWRIGHT_DATA_DIR: folder,
    FRAMEWRIGHT_IMAGE_API_URL: url,
    FRAMEWRIGHT_IMAGE_API_KEY: KEY,
    FRAMEWRIGHT_VIDEO_API_URL: url,
    FRAMEWRIGHT_VIDEO_API_KEY: KEY,
    FRAMEWRIGHT_VIDEO_API_MODEL: 'wan-2',
    ...settings,
  });
  return withLocalRender(join(folder, 'movie.json'), config, act);
}

const size = { width: 160, height: 90, fps: 25 };
const meadow = { type: 'image', prompt: 'a meadow', resize: 'cover', 'aspect-ratio': 'horizontal' };

it('a movie shows the image and the clip generated from its prompts', async () => {
  const script = {
    ...size,
    variables: { subject: 'fire' },
    scenes: [
      { duration: 1, elements: [meadow] },
      { elements: [{ type: 'video', id: 'clip', prompt: '{{subject}}', model: 'kling-1-6', resize: 'cover' }] },
      { duration: '{{clip_duration / 2}}', elements: [meadow] },
    ],
  };
  const outputPath = join(folder, 'film.mp4');
  const output = await withParts((parts, workDir) => renderMovie({ script, workDir, outputPath, signal, onProgress: () => {} }, parts));
  // The duration of 2 s is known once the clip is generated.
  expect(output.durationSeconds).toBeCloseTo(4, 1);
  expect(Number(ffprobe(outputPath).format.duration)).toBeCloseTo(4, 1);
  expect(output.warnings).toEqual(['scenes.1.elements.0: the model "kling-1-6" is not offered on this host, so "wan-2" makes the video']);
  const frames = await decodeFrames(outputPath, 'rgb');
  for (const [frame, colour] of [
    [12, [0x20, 0xc0, 0x40]],
    [50, [0xc0, 0x20, 0x20]],
    [87, [0x20, 0xc0, 0x40]],
  ] as const) {
    const middle = pixelAt(frames, frame, 80, 45);
    expect(Math.max(...middle.map((value, i) => Math.abs(value - (colour[i] ?? 0)))), `frame ${frame} is ${middle}`).toBeLessThan(12);
  }
  // Equal prompts are generated once, and the next render generates none.
  const asked = provider.received.filter(({ method }) => method === 'POST');
  expect(asked.map(({ path }) => path).sort()).toEqual(['/v1/images/generations', '/v1/videos']);
  await withParts((parts, workDir) => planMovie({ script, workDir, signal }, parts));
  expect(provider.received.filter(({ method }) => method === 'POST')).toHaveLength(asked.length);
  expect(JSON.stringify(output)).not.toContain(KEY);
});

it('a generated file that is not an image fails the render and is not cached', async () => {
  kind = 'text';
  const script = { ...size, scenes: [{ duration: 1, elements: [{ ...meadow, prompt: 'no picture' }] }] };
  const plan = () => withParts((parts, workDir) => planMovie({ script, workDir, signal }, parts));
  await expect(plan()).rejects.toMatchObject({
    code: 'RENDER_FAILED',
    message: expect.stringMatching(/^scenes\.0\.elements\.0: the image generated from the prompt cannot be read as media/),
  });
  kind = 'picture';
  expect((await plan()).timeline.sources).toHaveLength(1);
});

it('cache: false generates again', async () => {
  const script = { ...size, scenes: [{ duration: 1, elements: [{ ...meadow, cache: false }] }] };
  const before = provider.received.length;
  await withParts((parts, workDir) => planMovie({ script, workDir, signal }, parts));
  expect(provider.received.length).toBe(before + 1);
});

it('more prompts than the host allows are refused before generation', async () => {
  const elements = ['a', 'b', 'c'].map((prompt) => ({ ...meadow, prompt }));
  const before = provider.received.length;
  const plan = withParts((parts, workDir) => planMovie({ script: { ...size, scenes: [{ duration: 1, elements }] }, workDir, signal }, parts), {
    FRAMEWRIGHT_GENERATION_PER_MOVIE: '2',
  });
  await expect(plan).rejects.toMatchObject({
    code: 'RENDER_FAILED',
    message: 'scenes.0.elements.2: the movie has 3 different prompts; up to 2 are allowed on this host.',
  });
  expect(provider.received.length).toBe(before);
});

it('the service refuses prompts at once without a provider and never shows the provider’s key', async () => {
  const dataDir = join(folder, 'service');
  const script = { ...size, scenes: [{ duration: 1, elements: [{ ...meadow, prompt: 'something else' }] }] };
  const post = async (url: string, apiKey: string): Promise<{ status: number; body: { error: { path?: string; message: string } } }> => {
    const response = await fetch(`${url}/api/render`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(script),
    });
    return { status: response.status, body: (await response.json()) as { error: { message: string } } };
  };
  const without = await startService(dataDir);
  const apiKey = await createKey(dataDir);
  const refused = await post(without.url, apiKey).finally(() => without.stop());
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({ path: 'scenes.0.elements.0.prompt', message: expect.stringContaining('FRAMEWRIGHT_IMAGE_API_URL') });

  const url = new URL(provider.url).origin;
  const service = await startService(dataDir, { FRAMEWRIGHT_IMAGE_API_URL: url, FRAMEWRIGHT_IMAGE_API_KEY: KEY });
  try {
    kind = 'refusal';
    const job = await finishedJob(service, apiKey, (await submit(service, apiKey, script)).job_id);
    expect(job).toMatchObject({
      status: 'failed',
      error: { message: 'scenes.0.elements.0: the image provider "default" answered 400: no such thing, Bearer …' },
    });
    expect(job.credits_used).toBe(0);
    kind = 'picture';
    expect(await finishedJob(service, apiKey, (await submit(service, apiKey, script)).job_id)).toMatchObject({ status: 'completed', credits_used: 1 });
  } finally {
    await service.stop();
  }
  expect(service.log()).not.toContain(KEY);
  const stored = (await readdir(dataDir)).filter((name) => /sqlite|\.db/.test(name));
  expect(stored.length).toBeGreaterThan(0);
  for (const name of stored) expect((await readFile(join(dataDir, name))).includes(KEY), name).toBe(false);
});
