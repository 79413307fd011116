import { expect, it } from 'vitest';
import { censorKeys } from '../../../src/accounts/index.js';
import { openTestAccounts } from '../../support/accounting.js';

it('log lines lose the secret part of each key, in headers, URLs and messages', async () => {
  const { accounts, close } = await openTestAccounts();
  const { key } = await accounts.createKey({ accountName: 'acme', mode: 'live', credits: 1 });
  await close();
  const line = JSON.stringify({ url: `/api/jobs/1/progress?apiKey=${key}&x=1`, headers: { 'x-api-key': key }, err: { message: `key ${key}.` } });
  const censored = censorKeys(line);
  expect(censored).not.toContain(key.slice(8));
  expect(JSON.parse(censored)).toEqual({
    url: '/api/jobs/1/progress?apiKey=ve_live_[key]&x=1',
    headers: { 'x-api-key': 've_live_[key]' },
    err: { message: 'key ve_live_[key].' },
  });
});

it('values in the places of keys are censored whatever they are', () => {
  const line = JSON.stringify({ headers: { 'X-Api-Key': 'sk-123' }, apiKey: 'abc', url: '/progress?x=1&apiKey=secret&y=2', key: 'kept' });
  expect(JSON.parse(censorKeys(line))).toEqual({ headers: { 'X-Api-Key': '[key]' }, apiKey: '[key]', url: '/progress?x=1&apiKey=[key]&y=2', key: 'kept' });
});

it('other text stays as it is', () => {
  const text = 've_live_ and ve_test_1234 of /outputs/ve_other_0123456789012345678901234567890123456789012';
  expect(censorKeys(text)).toBe(text);
});
