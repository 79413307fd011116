import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';

const parse = (delays: string) => loadConfig({ FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: delays }).webhooks.retryDelaysMs;

describe('FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS', () => {
  it('is 30 s, 2 min and 10 min by default', () => {
    expect(loadConfig({}).webhooks.retryDelaysMs).toEqual([30_000, 120_000, 600_000]);
    expect(parse('')).toEqual([30_000, 120_000, 600_000]);
  });

  it('accepts whole and fractional seconds', () => {
    expect(parse('1')).toEqual([1000]);
    expect(parse(' 0.25, 2,604800 ')).toEqual([250, 2000, 604_800_000]);
  });

  it.each(['x', '1,,2', '-1', '1e3', '604801', '30s', Array(21).fill('1').join(',')])('rejects %j', (delays) => {
    expect(() => parse(delays)).toThrow(/^FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: /);
  });
});

it('does not pass the mail server address, which contains a password, to render processes', () => {
  const { workerEnvironment } = loadConfig({ FRAMEWRIGHT_SMTP_URL: 'smtp://a:b@c', FRAMEWRIGHT_MAIL_FROM: 'a@b.c', FRAMEWRIGHT_DATA_DIR: '/x' }).jobs;
  expect(workerEnvironment).not.toHaveProperty('FRAMEWRIGHT_SMTP_URL');
  expect(workerEnvironment).toHaveProperty('FRAMEWRIGHT_DATA_DIR');
});
