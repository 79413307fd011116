import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../../src/accounts/index.js';
import { rotationMs, WebhookSecretStore } from '../../../../src/delivery/webhooks/index.js';
import { answer, pause, type Receiver, startReceiver, until } from '../../../support/receiver.js';
import { movie, type Service, startService } from '../../../support/service-in-process.js';

let service: Service;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
  service = await startService({ environment: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FRAMEWRIGHT_PUBLIC_URL: 'https://videos.example.com' } });
});
afterEach(async () => {
  await service.stop();
  await receiver.close();
});

const submit = async (key: string, script: object) => {
  const { status, body } = await service.call('POST', '/api/render', { key, body: script });
  expect(status).toBe(202);
  return String(body.job_id);
};
const withWebhook = (comment = '', url = receiver.url): object => ({ ...movie(comment), webhook_uri: url });

it('reports a completed job with a signed body', async () => {
  const { key } = await service.createKey({ account: 'acme' });
  const jobId = await submit(key, withWebhook());
  const [request] = await receiver.waitFor(1);
  const job = await service.waitForEnd(key, jobId);
  expect(request).toMatchObject({ method: 'POST', path: '/hook' });
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Framewright' });
  const body = JSON.parse(request?.body ?? '') as object;
  expect(body).toEqual({ job_id: jobId, status: 'completed', output_url: job.output_uri, duration_seconds: 2, credits_used: 2 });
  expect(job.output_uri).toMatch(/^https:\/\/videos\.example\.com\/outputs\//);
  const secret = (await new WebhookSecretStore(service.app.db, systemClock).find('acme')) ?? '';
  expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toEqual(body);
  expect(() => new Webhook(secret).verify(`${request?.body} `, request?.headers ?? {})).toThrow();
  await pause(700);
  expect(receiver.received).toHaveLength(1);
});

it('reports a failed job for every cause of failure', async () => {
  const { key } = await service.createKey({ credits: 10 });
  for (const [comment, message, code = 'RENDER_FAILED'] of [
    ['fail', 'scenes.0.elements.0.src could not be read.'],
    ['die', 'The render process stopped unexpectedly in each of 2 attempts. Nothing was charged.'],
    ['planned=5000', 'The planned length costs 5000 credits', 'INSUFFICIENT_CREDITS'],
  ] as Array<[string, string, string?]>) {
    const jobId = await submit(key, withWebhook(comment));
    await receiver.waitFor(receiver.received.length + 1);
    const body = JSON.parse(receiver.received.at(-1)?.body ?? '') as { error: { message: string } };
    expect(body).toEqual({ job_id: jobId, status: 'failed', error: { code, message: body.error.message } });
    expect(body.error.message).toContain(message);
  }
});

it('reports sandbox jobs too', async () => {
  const { key } = await service.createKey({ mode: 'test' });
  const jobId = await submit(key, withWebhook());
  const [request] = await receiver.waitFor(1);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ job_id: jobId, status: 'completed', credits_used: 0 });
});

it('arrives within 250 ms of the end', async () => {
  const { key } = await service.createKey();
  const jobId = await submit(key, withWebhook());
  await receiver.waitFor(1);
  const job = await service.app.db.selectFrom('jobs').select('finished_at').where('id', '=', jobId).executeTakeFirstOrThrow();
  const receivedAt = Date.now() - (performance.now() - (receiver.received[0]?.at ?? 0));
  expect(receivedAt - Date.parse(job.finished_at ?? '')).toBeLessThan(250);
});

it('is not sent for scripts without webhook_uri or refused submissions', async () => {
  const { key } = await service.createKey({ credits: 2 });
  await service.waitForEnd(key, await submit(key, movie()));
  expect((await service.call('POST', '/api/render', { key, body: withWebhook() })).status).toBe(402);
  expect(await service.app.db.selectFrom('deliveries').selectAll().execute()).toEqual([]);
});

it('refuses a private address at submission and names its path', async () => {
  const { key } = await service.createKey();
  for (const url of ['http://10.0.0.1/', 'http://[::1]/', 'http://2130706434/', 'ftp://example.com/']) {
    const { status, body } = await service.call('POST', '/api/render', { key, body: withWebhook('', url) });
    expect([status, body.error?.code, body.error?.path]).toEqual([400, 'SCHEMA_VALIDATION_ERROR', 'webhook_uri']);
  }
});

it('signs with both secrets during a rotation, and with separate ones per account', async () => {
  const { key } = await service.createKey({ account: 'acme' });
  const secrets = new WebhookSecretStore(service.app.db, systemClock);
  const first = (await secrets.find('acme')) ?? '';
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await secrets.find('acme')).toBe(first);
  const second = (await secrets.rotate('acme')) ?? '';
  expect(await secrets.find('acme')).toBe(second);
  await submit(key, withWebhook());
  const [request] = await receiver.waitFor(1);
  expect(request?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const secret of [first, second]) new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {});
  const other = await service.createKey({ account: 'other' });
  await submit(other.key, withWebhook());
  await receiver.waitFor(2);
  expect(() => new Webhook(second).verify(receiver.received[1]?.body ?? '', receiver.received[1]?.headers ?? {})).toThrow();

  const tomorrow = new WebhookSecretStore(service.app.db, { now: () => Date.now() + rotationMs });
  expect(await tomorrow.listSigning((await service.createKey({ account: 'acme' })).accountId)).toEqual([second]);
  expect(await secrets.find('nobody')).toBeUndefined();
  expect(await secrets.rotate('nobody')).toBeUndefined();
});

it('creates one secret per account under concurrent first requests', async () => {
  const { accountId } = await service.createKey({ account: 'acme' });
  const secrets = new WebhookSecretStore(service.app.db, systemClock);
  const found = await Promise.all(Array.from({ length: 20 }, () => secrets.listSigning(accountId)));
  expect(new Set(found.flat()).size).toBe(1);
});

it('logs neither the secret nor credentials, path or query of the URL', async () => {
  await receiver.close();
  receiver = await startReceiver(answer(500));
  const { key } = await service.createKey({ account: 'acme' });
  const url = `${receiver.url.replace('http://', 'http://user:pass-word@')}/hidden-path?token=hidden-token`;
  const jobId = await submit(key, withWebhook('', url));
  await receiver.waitFor(1);
  await until(() => service.log.some((line) => line.includes('webhook attempt failed')));
  const secret = (await new WebhookSecretStore(service.app.db, systemClock).find('acme')) ?? 'none';
  const log = service.log.join('');
  expect(log).toContain(jobId);
  for (const hidden of ['hidden-path', 'hidden-token', 'pass-word', secret]) expect(log).not.toContain(hidden);
  expect(JSON.stringify((await service.call('GET', `/api/jobs/${jobId}`, { key })).body)).not.toContain('hidden');
});
