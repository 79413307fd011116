import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/accounts/index.js';
import { FramewrightError, verifyWebhook } from '../../../src/client/index.js';
import { WebhookSecretStore } from '../../../src/delivery/webhooks/index.js';
import { startReceiver } from '../../support/receiver.js';
import { movie, startService } from '../../support/service-in-process.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, all').toString('base64')}`;
const body = '{"job_id":"1","status":"failed","error":{"code":"RENDER_FAILED","message":"ü"}}';
const signed = (at: Date, text = body, key = secret): Record<string, string> => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(key).sign('evt_1', at, text),
});
const refused = async (headers: Record<string, string>, text: string | Uint8Array = body, keys: string | string[] = secret): Promise<string> => {
  const error = await verifyWebhook(headers, text, keys).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FramewrightError);
  expect((error as FramewrightError).code).toBe('WEBHOOK_REFUSED');
  return (error as FramewrightError).message;
};

it('verifies events of the service, also during a rotation of the secret', async () => {
  const receiver = await startReceiver();
  const service = await startService({ environment: { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  const { key } = await service.createKey({ account: 'acme' });
  const secrets = new WebhookSecretStore(service.app.db, systemClock);
  const first = (await secrets.find('acme')) ?? '';
  const second = (await secrets.rotate('acme')) ?? '';
  const { body: accepted } = await service.call('POST', '/api/render', { key, body: { ...movie(), webhook_uri: receiver.url } });
  const [request] = await receiver.waitFor(1);
  for (const known of [first, second, [secret, second]]) {
    const event = await verifyWebhook(request?.headers ?? {}, request?.body ?? '', known);
    expect(event).toMatchObject({ job_id: accepted.job_id, status: 'completed', credits_used: 2 });
  }
  expect(await refused(request?.headers ?? {}, `${request?.body} `, first)).toContain('none of its signatures');
  expect(await refused(request?.headers ?? {}, request?.body, secret)).toContain('none of its signatures');
  await service.stop();
  await receiver.close();
});

it('accepts the header and body types of servers', async () => {
  const headers = signed(new Date());
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  for (const form of [headers, new Headers(headers), upper]) {
    expect(await verifyWebhook(form, body, secret)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(form, new TextEncoder().encode(body), secret)).toEqual(JSON.parse(body));
  }
});

it('rejects old, future, changed and unsigned webhooks', async () => {
  const at = (seconds: number): Date => new Date(Date.now() + seconds * 1000);
  expect(await refused(signed(at(-301)))).toMatch(/sent 30\d s ago/);
  expect(await refused(signed(at(310)))).toContain('in the future');
  await verifyWebhook(signed(at(-290)), body, secret);
  await verifyWebhook(signed(at(-3000)), body, secret, { toleranceSeconds: 3600 });
  await verifyWebhook(signed(new Date(5_000_000)), body, secret, { now: 5_100_000 });
  expect(await refused({ ...signed(at(0)), 'webhook-id': 'evt_2' })).toContain('none of its signatures');
  expect(await refused({ ...signed(at(0)), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 5) })).toContain('none of its signatures');
  const { 'webhook-signature': signature = '' } = signed(at(0));
  for (const wrong of [signature.replace('v1,', 'v2,'), signature.replace('v1,', ''), 'v1,', 'v1,???', `${signature.slice(0, -5)}AAAA=`]) {
    expect(await refused({ ...signed(at(0)), 'webhook-signature': wrong })).toContain('none of its signatures');
  }
  expect(await refused({})).toContain('no header webhook-id');
  expect(await refused({ ...signed(at(0)), 'webhook-timestamp': 'soon' })).toContain('not a time');
  await expect(verifyWebhook(signed(at(0)), body, 'whsec_')).rejects.toThrow('framewright webhooks secret');
});
