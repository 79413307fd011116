import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';
import { type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  service = await startService({ workers: 0, dataDir: folder.path });
});
afterEach(async () => {
  await service.stop();
  await folder.remove();
});
const cli = (...args: string[]) => runCli(args, { env: { FRAMEWRIGHT_DATA_DIR: folder.path } });
const create = async (...args: string[]) => {
  const result = await cli('keys', 'create', '--json', ...args);
  expect([result.code, result.stderr]).toEqual([0, '']);
  return JSON.parse(result.stdout) as {
    key: string;
    key_id: string;
    account_id: string;
    balance: number;
    requests_per_minute: number;
    concurrent_jobs: number;
  };
};
const statusOf = async (key: string) => (await service.call('GET', '/api/jobs', { key })).status;

it('creates and revokes a key with immediate effect on the running service', async () => {
  const created = await create('--account', 'acme', '--plan', 'pro', '--mode', 'live', '--credits', '100');
  expect(created).toMatchObject({
    key: expect.stringMatching(/^ve_live_/),
    account_id: expect.stringMatching(/^acc_/),
    balance: 100,
    requests_per_minute: 120,
    concurrent_jobs: 10,
  });
  expect(await statusOf(created.key)).toBe(200);
  const second = await create('--account', 'acme', '--mode', 'test', '--credits', '5');
  expect(second).toMatchObject({ key: expect.stringMatching(/^ve_test_/), account_id: created.account_id, balance: 105 });

  expect((await cli('keys', 'revoke', created.key)).code).toBe(0);
  expect([await statusOf(created.key), await statusOf(second.key)]).toEqual([401, 200]);
  expect((await cli('keys', 'revoke', second.key_id)).code).toBe(0);
  expect(await statusOf(second.key)).toBe(401);

  const listed = await cli('keys', 'list');
  expect(listed.stdout).toContain('acme');
  expect(listed.stdout).toContain(created.key.slice(-4));
  expect(listed.stdout).not.toContain(created.key.slice(8));
});

it('accepts custom limits for an enterprise account', async () => {
  const created = await create(
    '--account',
    'big',
    '--plan',
    'enterprise',
    '--mode',
    'live',
    '--credits',
    '1',
    '--requests-per-minute',
    '900',
    '--concurrent-jobs',
    '70',
  );
  expect(created).toMatchObject({ requests_per_minute: 900, concurrent_jobs: 70 });
  expect((await service.call('GET', '/api/jobs', { key: created.key })).headers.get('x-ratelimit-limit')).toBe('900');
});

it('grants credits', async () => {
  await create('--account', 'acme', '--credits', '7');
  const granted = await cli('credits', 'grant', '--account', 'acme', '--credits', '5', '--json');
  expect(JSON.parse(granted.stdout)).toMatchObject({ granted: 5, balance: 12 });
  const nobody = await cli('credits', 'grant', '--account', 'nobody', '--credits', '5');
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('no account "nobody"')]);
});

describe('exit code 2', () => {
  it.each([
    [['keys', 'create'], '--account'],
    [['keys', 'create', '--account', 'a', '--plan', 'gold'], 'free, starter, pro, enterprise'],
    [['keys', 'create', '--account', 'a', '--mode', 'dry'], 'live, test'],
    [['keys', 'create', '--account', 'a', '--credits', '1.5'], 'whole number'],
    [['keys', 'create', '--account', 'a', '--credits', '-1'], 'whole number'],
    [['keys', 'create', '--account', ' '], '1 to 100'],
    [['keys', 'create', '--account', 'a', '--colour', 'red'], '--colour'],
    [['keys', 'create', '--account', 'a', '--plan', 'pro', '--concurrent-jobs', '9'], 'enterprise'],
    [['keys', 'revoke'], 'key'],
    [['credits', 'grant', '--account', 'a', '--credits', '0'], 'whole number'],
    [['dance'], 'dance'],
  ])('%j', async (args, text) => {
    const result = await cli(...args);
    expect([result.code, result.stderr, result.stdout]).toEqual([2, expect.stringContaining(text), '']);
  });

  it('reports a wrong setting in one line', async () => {
    const result = await runCli(['keys', 'list'], { env: { FRAMEWRIGHT_DATA_DIR: folder.path, DATABASE_URL: 'mysql://a:b@c/d' } });
    expect([result.code, result.stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(result.stderr).toContain('DATABASE_URL');
  });
});
