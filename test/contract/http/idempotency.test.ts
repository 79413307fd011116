import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../support/accounting.js';
import { movie, type Service, startService } from '../../support/service-in-process.js';

let dataDir: string;
let service: Service;
let clock: ManualClock;
let key: string;
let accountId: string;
const start = async (): Promise<void> => {
  service = await startService({ workers: 0, dataDir, clock });
};
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'framewright-once-'));
  clock = new ManualClock();
  await start();
  ({ key, accountId } = await service.createKey({ credits: 100 }));
});
afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});
const render = (once: string, body: unknown = movie(), as = key, path = '/api/render') =>
  service.call('POST', path, { key: as, body, headers: { 'idempotency-key': once } });
const jobs = async () => (await service.app.db.selectFrom('jobs').select('id').execute()).length;
const stored = async () => (await service.app.db.selectFrom('idempotency_keys').select('key').execute()).length;

describe('Idempotency-Key', () => {
  it('returns the same response for the same key and body, with one job and one debit', async () => {
    const first = await render('a');
    const reordered = { scenes: [{ 'background-color': '#112233', duration: 2 }], height: 180, width: 320, comment: '' };
    const answers = [await render('a'), await render('a', reordered)];
    expect([first.status, ...answers.map(({ status }) => status)]).toEqual([202, 202, 202]);
    for (const { body } of answers) expect(body).toEqual(first.body);
    expect([await jobs(), await service.balance(accountId)]).toEqual([1, 98]);
    expect((await render('b')).body.job_id).not.toBe(first.body.job_id);
  });

  it('creates one job from 100 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => render('a')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect([await jobs(), await service.balance(accountId)]).toEqual([1, 98]);
  });

  it('creates one job from 100 concurrent requests with two bodies and refuses the other body', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => render('a', movie('', index % 2 === 0 ? 2 : 3))));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(50);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ status, body }) => status === 400 && body.error?.code === 'INVALID_REQUEST')).toHaveLength(50);
    expect(await jobs()).toBe(1);
  });

  it('refuses another body, route or kind of API key', async () => {
    const sandbox = await service.createKey({ mode: 'test', credits: 0 });
    const template = await service.call('POST', '/api/templates', { key, body: { name: 'x', script: movie() } });
    await render('a');
    for (const answer of [
      await render('a', movie('', 3)),
      await render('a', movie(), sandbox.key),
      await render('a', { template_id: template.body.id }, key, '/api/render/template'),
    ]) {
      expect([answer.status, answer.body.error?.code, answer.body.error?.path]).toEqual([400, 'INVALID_REQUEST', 'Idempotency-Key']);
    }
    expect(await jobs()).toBe(1);
  });

  it('works for templates, even if the template is deleted meanwhile', async () => {
    const { body } = await service.call('POST', '/api/templates', { key, body: { name: 'x', script: movie() } });
    const request = { template_id: body.id, variables: { a: 1 } };
    const first = await render('a', request, key, '/api/render/template');
    await service.call('DELETE', `/api/templates/${body.id}`, { key });
    expect((await render('a', request, key, '/api/render/template')).body).toEqual(first.body);
    expect(await jobs()).toBe(1);
  });

  it('is scoped to the account', async () => {
    const stranger = await service.createKey({ account: 'stranger' });
    const [mine, theirs] = [await render('a'), await render('a', movie(), stranger.key)];
    expect(theirs.status).toBe(202);
    expect(theirs.body.job_id).not.toBe(mine.body.job_id);
  });

  it('survives a restart and expires after 24 hours', async () => {
    const first = await render('a');
    await service.stop();
    await start();
    clock.advance(24 * 3_600_000 - 1000);
    expect((await render('a')).body).toEqual(first.body);
    clock.advance(1000);
    const late = await render('a', movie('', 3));
    expect(late.status).toBe(202);
    expect(late.body.job_id).not.toBe(first.body.job_id);
    clock.advance(24 * 3_600_000);
    expect(await stored()).toBe(1);
    await service.stop();
    await start();
    expect(await stored()).toBe(0);
  });

  it('is not stored for refused submissions', async () => {
    expect((await render('a', { scenes: [] })).status).toBe(400);
    expect((await render('b', movie('', 1000))).status).toBe(402);
    const narrow = await service.createKey({ account: 'narrow', limits: { requestsPerMinute: 1000, concurrentJobs: 1 } });
    await render('c', movie(), narrow.key);
    expect((await render('d', movie(), narrow.key)).status).toBe(429);
    expect((await render('e', { template_id: 'tpl_none' }, key, '/api/render/template')).status).toBe(404);
    expect(await stored()).toBe(1);
    expect((await render('b')).status).toBe(202);
  });

  it.each([
    ['empty', ''],
    ['blank', ' '],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'schlüssel'],
    ['with a tab', 'a\tb'],
  ])('%s: INVALID_REQUEST', async (_name, once) => {
    const answer = await render(once);
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(await jobs()).toBe(0);
  });

  it('accepts up to 255 printable characters', async () => {
    const longest = `${'~ !"'.repeat(63)}abc`;
    const first = await render(longest);
    expect(first.status).toBe(202);
    expect((await render(longest)).body).toEqual(first.body);
  });
});
