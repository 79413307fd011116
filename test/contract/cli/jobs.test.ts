import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../support/cli.js';
import { answer, type Receiver, startReceiver, until } from '../../support/receiver.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let receiver: Receiver;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver((request, response, number) => answer(number === 1 ? 503 : 200)(request, response, number));
  const environment = { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: '0.1' };
  service = await startService({ dataDir: folder.path, environment });
});
afterEach(async () => {
  await service.stop();
  await receiver.close();
  await folder.remove();
});
const cli = (...args: string[]) => runCli(args, { env: { FRAMEWRIGHT_DATA_DIR: folder.path } });
const json = async (...args: string[]) => {
  const result = await cli(...args, '--json');
  expect([result.code, result.stderr]).toEqual([0, '']);
  return JSON.parse(result.stdout) as Record<string, unknown>;
};
const submit = async (key: string, script: object) => String((await service.call('POST', '/api/render', { key, body: script })).body.job_id);

it('shows the stages, credits, webhook attempts and exports of a job without secrets', async () => {
  const { key, accountId } = await service.createKey({ account: 'acme' });
  const exporting = await startReceiver();
  const exports = [{ type: 'webhook', endpoint: `${exporting.url}/hidden-export` }];
  const jobId = await submit(key, { ...movie('planned=5'), webhook_uri: `${receiver.url}/hidden-path?token=hidden-token`, exports });
  await exporting.waitFor(1);
  await receiver.waitFor(2);
  await until(async () => ((await json('jobs', 'show', jobId)).webhook as { status: string }).status === 'delivered');
  const shown = await json('jobs', 'show', jobId);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const origin = new URL(receiver.url).origin;
  expect(shown).toEqual({
    job_id: jobId,
    account_id: accountId,
    account: 'acme',
    mode: 'live',
    status: 'completed',
    progress: 1,
    stage: 'complete',
    estimated_credits: 2,
    credits_used: 5,
    duration_seconds: 2,
    size_bytes: 1000,
    error: null,
    warnings: [],
    render_attempts: 1,
    interruptions: 0,
    created_at: time,
    started_at: time,
    finished_at: time,
    credits: [
      { kind: 'hold', amount: -2, created_at: time },
      { kind: 'settle', amount: -3, created_at: time },
    ],
    purchases: [],
    webhook: {
      receiver: origin,
      status: 'delivered',
      next_attempt_at: null,
      attempts: [
        { number: 1, started_at: time, finished_at: time, http_status: 503, error: 'answered 503' },
        { number: 2, started_at: time, finished_at: time, http_status: 200, error: null },
      ],
    },
    exports: [
      {
        type: 'webhook',
        status: 'delivered',
        location: new URL(exporting.url).origin,
        message: `Delivered to ${new URL(exporting.url).origin}.`,
        attempts: 1,
        finished_at: time,
      },
    ],
  });
  const { stdout, code } = await cli('jobs', 'show', jobId);
  expect(code).toBe(0);
  expect(stdout).toContain('status    completed, 100 %, complete');
  expect(stdout).toContain(`webhook   ${origin} delivered`);
  expect(stdout).toMatch(/attempt 1: answered 503\n.*attempt 2: answered 200/);
  expect(stdout).toContain('export    webhook delivered: Delivered to');
  expect(stdout + JSON.stringify(shown)).not.toContain('hidden');
  await exporting.close();
});

it('lists jobs by account and status, newest first', async () => {
  const [acme, other] = [await service.createKey({ account: 'acme' }), await service.createKey({ account: 'other' })];
  const first = await submit(acme.key, movie());
  await service.waitForEnd(acme.key, first);
  const failed = await submit(acme.key, movie('fail'));
  await service.waitForEnd(acme.key, failed);
  const others = await submit(other.key, movie());
  await service.waitForEnd(other.key, others);
  const ids = async (...args: string[]) => ((await json('jobs', 'list', ...args)).jobs as Array<{ job_id: string }>).map((job) => job.job_id);
  expect(await ids()).toEqual([others, failed, first]);
  expect(await ids('--account', 'acme')).toEqual([failed, first]);
  expect(await ids('--account', 'acme', '--status', 'failed')).toEqual([failed]);
  expect(await ids('--limit', '1')).toEqual([others]);
  expect((await cli('jobs', 'list')).stdout).toContain(failed);
  expect((await json('jobs', 'show', failed)).error).toEqual({ code: 'RENDER_FAILED', message: 'scenes.0.elements.0.src could not be read.' });
});

it('reports what is wrong with a command', async () => {
  expect(await cli('jobs', 'show', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no job "nothing"') });
  expect(await cli('jobs', 'list', '--status', 'done')).toMatchObject({ code: 2, stderr: expect.stringContaining('Allowed choices are queued, processing') });
  expect(await cli('webhooks', 'secret', '--account', 'nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no account "nobody"') });
});

it('prints and replaces the webhook secret of an account', async () => {
  await service.createKey({ account: 'acme' });
  const first = (await cli('webhooks', 'secret', '--account', 'acme')).stdout.trim();
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await json('webhooks', 'secret', '--account', 'acme')).toEqual({ account: 'acme', secret: first });
  const second = (await cli('webhooks', 'secret', '--account', 'acme', '--rotate')).stdout.trim();
  expect(second).toMatch(/^whsec_/);
  expect(second).not.toBe(first);
  expect(await json('webhooks', 'secret', '--account', 'acme')).toEqual({ account: 'acme', secret: second });
});

it('lists failed deliveries without secrets and sends them again', async () => {
  const { key } = await service.createKey({ account: 'acme' });
  await receiver.close();
  receiver = await startReceiver((request, response, number) => answer(number <= 2 ? 503 : 200)(request, response, number));
  const refusing = await startReceiver((request, response, number) => answer(number <= 1 ? 403 : 200)(request, response, number));
  const exports = [{ type: 'webhook', endpoint: `${refusing.url}/hidden-export` }];
  const jobId = await submit(key, { ...movie(), webhook_uri: `${receiver.url}/hidden-path?token=hidden-token`, exports });
  const list = async () => (await json('deliveries', 'list', '--failed')).deliveries as Array<{ id: number; kind: string }>;
  await until(async () => (await list()).length === 2, 30_000);
  const [exported, webhook] = await list();
  const shared = { job_id: jobId, account: 'acme', type: 'webhook', status: 'failed', next_attempt_at: null, finished_at: expect.any(String) };
  const { host } = new URL(receiver.url);
  expect(webhook).toEqual({ ...shared, id: webhook?.id, kind: 'webhook', host, attempts: 2, message: 'answered 503' });
  expect(exported).toEqual({ ...shared, id: exported?.id, kind: 'export', host: null, attempts: 1, message: `${new URL(refusing.url).host} answered 403.` });
  const table = await cli('deliveries', 'list', '--account', 'acme', '--status', 'failed');
  expect(table.stdout).toContain('answered 503');
  expect(table.stdout + JSON.stringify([webhook, exported])).not.toContain('hidden');

  const [webhookId, exportId] = [String(webhook?.id), String(exported?.id)];
  const refused = await cli('deliveries', 'resend', webhookId, exportId);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `framewright: Nothing is sent again, because delivery ${exportId} is an export. Its credentials were erased when it ended; give its target anew with --target FILE.\n`,
  ]);
  expect((await cli('deliveries', 'resend', '999')).stderr).toContain('delivery 999 does not exist');
  expect((await cli('deliveries', 'resend', 'none')).code).toBe(2);
  expect(receiver.received).toHaveLength(2);
  expect(await json('deliveries', 'resend', webhookId)).toEqual({ resent: [webhook?.id] });
  await until(async () => ((await json('jobs', 'show', jobId)).webhook as { status: string }).status === 'delivered');
  expect(receiver.received).toHaveLength(3);
  expect((await cli('deliveries', 'resend', webhookId)).stderr).toContain('has not failed.');

  const targetPath = join(folder.path, 'target.json');
  const refusalOf = async (target: string, ...ids: string[]) => {
    await writeFile(targetPath, target);
    const result = await cli('deliveries', 'resend', ...ids, '--target', targetPath);
    expect([result.stdout, result.code !== 0]).toEqual(['', true]);
    return result.stderr;
  };
  expect(await refusalOf(JSON.stringify(exports[0]), webhookId)).toContain('is a webhook, which takes no --target.');
  expect(await refusalOf(JSON.stringify(exports[0]), exportId, webhookId)).toContain('--target belongs to one export; give one id.');
  expect(await refusalOf(JSON.stringify(exports), exportId)).toContain('must be one export target as a JSON object');
  expect(await refusalOf('{"password": "hidden"', exportId)).not.toContain('hidden');
  expect(await refusalOf('{"type": "webhook", "endpoint": 5}', exportId)).toContain('endpoint');
  expect(await refusalOf('{"type": "webhook", "endpoint": "https://example.com", "output": "poster"}', exportId)).toContain(
    'the movie has no outputs with names',
  );
  expect(await refusalOf('{"type": "ftp", "host": "example.com", "username": "u", "password": "p"}', exportId)).toContain(
    'is an export of type webhook, not ftp.',
  );
  expect((await cli('deliveries', 'resend', exportId, '--target', join(folder.path, 'none.json'))).stderr).toContain('none.json cannot be read (ENOENT).');
  await writeFile(targetPath, JSON.stringify(exports[0]));
  const environment = { FRAMEWRIGHT_DATA_DIR: folder.path, FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' };
  const resent = await runCli(['deliveries', 'resend', exportId, '--target', targetPath], { env: environment });
  expect([resent.code, resent.stderr]).toEqual([0, '']);
  await until(async () => ((await json('jobs', 'show', jobId)).exports as Array<{ status: string }>)[0]?.status === 'delivered', 30_000);
  expect(refusing.received).toHaveLength(2);
  const stored = await readFile(join(folder.path, 'framewright.db'));
  expect(stored.includes('hidden-export')).toBe(false);
  await refusing.close();
});
