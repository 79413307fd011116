import { afterEach, expect, it } from 'vitest';
import { type Service, startService } from '../../support/service-in-process.js';

const environment = {
  FRAMEWRIGHT_VOICE_OPENAI_KEY: 'k',
  FRAMEWRIGHT_VOICE_OPENAI_PRICE: '1',
  FRAMEWRIGHT_PROVIDER_CREDITS_PER_MOVIE: '20',
  FRAMEWRIGHT_PROVIDER_CREDITS_PER_DAY: 'pro=30',
};

let service: Service;
afterEach(() => service.stop());

/** A movie of one second with voices of 1,000 characters each. */
const talk = (voices: number) => ({
  scenes: [
    { duration: 1, elements: Array.from({ length: voices }, (_, index) => ({ type: 'voice', model: 'openai', text: String(index).padEnd(1000, 'x') })) },
  ],
});

it('the cost of provider services is part of the estimate, which the balance must cover', async () => {
  service = await startService({ workers: 0, environment });
  const { key } = await service.createKey({ plan: 'pro', credits: 20 });
  const refused = await service.call('POST', '/api/render', { key, body: talk(20) });
  expect(refused.status).toBe(402);
  expect(refused.body.error).toMatchObject({ code: 'INSUFFICIENT_CREDITS', required: 21, balance: 20 });
  const accepted = await service.call('POST', '/api/render', { key, body: talk(4) });
  expect(accepted.body).toMatchObject({ estimated_credits: 5, credits_remaining: 15 });
});

it('a movie that exceeds the limit per movie is refused with the path of the property', async () => {
  service = await startService({ workers: 0, environment });
  const { key } = await service.createKey({ plan: 'pro' });
  const { status, body } = await service.call('POST', '/api/render', { key, body: talk(22) });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'SCHEMA_VALIDATION_ERROR', path: 'scenes.0.elements.20.text' });
});

it('an account that reaches its daily limit is refused until it has spent less', async () => {
  service = await startService({ workers: 0, environment });
  const { key } = await service.createKey({ plan: 'pro' });
  expect((await service.call('POST', '/api/render', { key, body: talk(20) })).status).toBe(202);
  const refused = await service.call('POST', '/api/render', { key, body: talk(11) });
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({ code: 'PROVIDER_LIMIT_EXCEEDED', required: 11, limit: 30, used: 20 });
  expect(refused.headers.get('retry-after')).toBe('3600');
  expect((await service.call('POST', '/api/render', { key, body: talk(10) })).status).toBe(202);
  const sandbox = await service.createKey({ plan: 'pro', mode: 'test' });
  expect((await service.call('POST', '/api/render', { key: sandbox.key, body: talk(11) })).status).toBe(202);
});
