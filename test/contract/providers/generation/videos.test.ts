import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type Receiver, type Responder, startReceiver } from '../../../support/receiver.js';
import { startMaking } from './generate.js';

const video = Buffer.from('video bytes, not decoded in this test');
const KEY = 'sk-videos';

const servers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Speaks the public interface: a task that is queued, then made, then can be fetched; `task` changes what it says. */
async function startStudio(task: (polls: number) => object = (polls) => ({ status: polls < 2 ? 'in_progress' : 'completed' }), submit?: Responder) {
  let polls = 0;
  const server = await startReceiver((request, response, number) => {
    const say = (status: number, body: object) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'POST')
      return submit === undefined ? say(200, { id: 'video_1', object: 'video', status: 'queued' }) : submit(request, response, number);
    if (request.url === '/v1/videos/video_1/content') return response.writeHead(200, { 'content-type': 'video/mp4' }).end(video);
    polls += 1;
    say(200, { id: 'video_1', object: 'video', ...task(polls) });
  });
  servers.push(server);
  const origin = new URL(server.url).origin;
  const making = startMaking({ FRAMEWRIGHT_VIDEO_API_URL: `${origin}/v1`, FRAMEWRIGHT_VIDEO_API_KEY: KEY, FRAMEWRIGHT_VIDEO_API_MODEL: 'wan-2' });
  return { server, ...making };
}

/** The fields of a form with short values. */
function fieldsOf(body: string): Record<string, string> {
  return Object.fromEntries([...body.matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g)].map(([, name = '', value = '']) => [name, value]));
}

it('requests a video, polls until it is ready and downloads it', async () => {
  const { server, make } = await startStudio();
  const made = await make({ kind: 'video', prompt: 'a cat "runs"', aspectRatio: 'vertical', modelSettings: { duration: 8, seed: 7, input_reference: 'x' } });
  expect(readFileSync(made.path)).toEqual(video);
  expect(made.warnings).toEqual(['the model setting "input_reference" is not passed on to the provider']);
  expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/videos',
    'GET /v1/videos/video_1',
    'GET /v1/videos/video_1',
    'GET /v1/videos/video_1/content',
  ]);
  expect(server.received.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(server.received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(fieldsOf(server.received[0]?.body ?? '')).toEqual({ model: 'wan-2', prompt: 'a cat "runs"', size: '720x1280', seconds: '8', seed: '7' });
});

it('sends JSON to a provider that rejects forms', async () => {
  const { server, make } = await startStudio(
    () => ({ status: 'completed' }),
    (request, response) =>
      request.headers['content-type'] === 'application/json'
        ? response.writeHead(200).end(JSON.stringify({ id: 'video_1', status: 'completed' }))
        : response.writeHead(415).end(),
  );
  await make({ kind: 'video' });
  expect(JSON.parse(server.received[1]?.body ?? '')).toEqual({ model: 'wan-2', prompt: 'a cat', size: '1280x720' });
});

it('reports why generation failed and leaves no file', async () => {
  const { make, folder } = await startStudio(() => ({ status: 'failed', error: { code: 'moderation_blocked', message: `blocked for ${KEY}` } }));
  const failure = await make({ kind: 'video' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'RENDER_FAILED', message: 'the video provider "default" could not make the video: blocked for …' });
  expect(readdirSync(folder).filter((name) => name.startsWith('generated-'))).toEqual([]);
});

it.each([
  ['no id', { status: 'queued' }, /answered without the id of a video$/],
  ['an id that is a path', { id: '../../admin', status: 'queued' }, /answered without the id of a video$/],
])('an answer with %s ends the render', async (_what, body, message) => {
  const { make, server } = await startStudio(undefined, (_request, response) => response.writeHead(200).end(JSON.stringify(body)));
  await expect(make({ kind: 'video' })).rejects.toThrow(message);
  expect(server.received).toHaveLength(1);
});

it('stops polling when the job is cancelled', async () => {
  const { make, server, folder } = await startStudio(() => ({ status: 'queued' }));
  const cancel = new AbortController();
  const making = make({ kind: 'video' }, { signal: cancel.signal });
  await server.waitFor(2);
  cancel.abort(new Error('cancelled'));
  await expect(making).rejects.toThrow('cancelled');
  expect(existsSync(folder)).toBe(true);
});
