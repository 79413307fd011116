import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '../../../../src/errors/index.js';
import { answer, type Receiver, type Responder, startReceiver } from '../../../support/receiver.js';
import { startMaking } from './generate.js';

const KEY = 'sk-operator-0123456789';
const image = Buffer.from('not looked into here');
const json =
  (body: unknown, status = 200): Responder =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const servers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(behave: Responder): Promise<Receiver & { origin: string }> {
  const server = await startReceiver(behave);
  servers.push(server);
  return { ...server, origin: new URL(server.url).origin };
}

const settings = (origin: string) => ({
  FRAMEWRIGHT_IMAGE_API_URL: origin,
  FRAMEWRIGHT_IMAGE_API_KEY: KEY,
  FRAMEWRIGHT_IMAGE_API_MODEL: 'gpt-image-1,dall-e-3',
});
const inBase64 = json({ created: 1, data: [{ b64_json: image.toString('base64') }] });

it('follows the public API and saves an image from the response body', async () => {
  const server = await start(inBase64);
  const made = await startMaking(settings(server.origin)).make({
    aspectRatio: 'vertical',
    modelSettings: { quality: 'high', 'output-format': 'webp', n: 9, webhook: 'https://a.example', size: '9x9', _note: 'mine' },
  });
  const [asked] = server.received;
  expect(asked).toMatchObject({ method: 'POST', path: '/v1/images/generations' });
  expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(JSON.parse(asked?.body ?? '')).toEqual({
    model: 'gpt-image-1',
    prompt: 'a cat',
    size: '1024x1536',
    n: 1,
    quality: 'high',
    output_format: 'webp',
  });
  expect(readFileSync(made.path)).toEqual(image);
  expect(made.warnings).toEqual(['n', 'webhook', 'size'].map((name) => `the model setting "${name}" is not passed on to the provider`));
});

it('downloads an image by URL without sending the key', async () => {
  const server = await start((request, response, number) =>
    request.url === '/made.png?signature=secret'
      ? response.writeHead(200, { 'content-type': 'image/png' }).end(image)
      : json({ data: [{ url: `${server.origin}/made.png?signature=secret` }] })(request, response, number),
  );
  const made = await startMaking(settings(server.origin)).make({ model: 'dall-e-3' });
  expect(readFileSync(made.path)).toEqual(image);
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ model: 'dall-e-3', size: '1792x1024' });
  expect(server.received[1]?.headers.authorization).toBeUndefined();
});

it('refuses a private image URL that the operator did not allow', async () => {
  const inside = await start(inBase64);
  const server = await start(json({ data: [{ url: `${inside.origin}/secret` }] }));
  const failure = await startMaking(settings(server.origin))
    .make({})
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'RENDER_FAILED',
    message: expect.stringMatching(/^the image provider "default" made a file that cannot be fetched: it is refused/),
  });
  expect(inside.received).toEqual([]);
});

it('generates equal images once, and again with cache: false', async () => {
  const server = await start(inBase64);
  const { make } = startMaking(settings(server.origin));
  const first = await make({});
  // A file that was never probed is not cached.
  await make({});
  expect(server.received).toHaveLength(2);
  await first.store(first.path);
  expect(readFileSync((await make({})).path)).toEqual(image);
  expect(server.received).toHaveLength(2);
  await make({}, { isFresh: true });
  await make({ modelSettings: { seed: 2 } });
  await make({ aspectRatio: 'squared' });
  expect(server.received).toHaveLength(5);
});

it('replaces an unavailable model with a warning', async () => {
  const server = await start(inBase64);
  const { warnings } = await startMaking(settings(server.origin)).make({ model: 'flux-pro' });
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ model: 'gpt-image-1' });
  expect(warnings).toEqual(['the model "flux-pro" is not offered on this host, so "gpt-image-1" makes the image']);
});

it('retries when the provider is busy, not when it refuses', async () => {
  const busy = await start((request, response, number) => (number < 3 ? answer(429) : inBase64)(request, response, number));
  await startMaking(settings(busy.origin)).make({});
  expect(busy.received).toHaveLength(3);
  const refusing = await start(json({ error: { message: 'Your request was rejected by the safety system.' } }, 400));
  await expect(startMaking(settings(refusing.origin)).make({})).rejects.toThrow(
    'the image provider "default" answered 400: Your request was rejected by the safety system.',
  );
  expect(refusing.received).toHaveLength(1);
});

it.each([
  ['a refused key', json({ error: { message: `Incorrect API key provided: ${KEY}` } }, 401), /does not accept this host's key \(401\)$/],
  ['an echoed key', json({ error: `bad header Bearer ${KEY}` }, 400), /answered 400: bad header Bearer …$/],
  ['a page', json('<html>'), /answered without an image$/],
  ['an empty list', json({ data: [] }), /answered without an image$/],
  ['an empty image', json({ data: [{ b64_json: '====' }] }), /answered with an image of 0 bytes$/],
])('%s ends the render in words without secrets', async (_what, behave, message) => {
  const server = await start(behave);
  const failure = await startMaking({ ...settings(server.origin), FRAMEWRIGHT_IMAGE_API_NAME: 'studio' })
    .make({})
    .catch((error: unknown) => error as AppError);
  expect(failure).toBeInstanceOf(AppError);
  const { code, message: said, detail } = failure as AppError;
  expect({ code, said }).toEqual({ code: 'RENDER_FAILED', said: expect.stringMatching(message) });
  expect(said).toMatch(/^the image provider "studio" /);
  expect(`${said} ${detail}`).not.toContain(KEY);
});

it('stops when the job is cancelled', async () => {
  const server = await start(() => {});
  const cancel = new AbortController();
  const making = startMaking(settings(server.origin)).make({}, { signal: cancel.signal });
  await server.waitFor(1);
  cancel.abort(new Error('cancelled'));
  await expect(making).rejects.toThrow('cancelled');
});
