import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FtpSrv } from 'ftp-srv';
import S3rver from 's3rver';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, hang, pause, type Receiver, startReceiver, until } from '../../../support/receiver.js';
import { movie, type Service, startService } from '../../../support/service-in-process.js';
import { databaseOf, storedBytes } from '../../../support/test-database.js';
import { closedPort } from '../exports/fixtures.js';

const secrets = ['open-sesame-7431', 'S3RVER', 'hidden-hook-9120'];
let folder: string;
let service: Service;
let receiver: Receiver;
const environment = { FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-handover-'));
  receiver = await startReceiver();
  service = await startService({ dataDir: join(folder, 'service'), environment });
});
afterEach(async () => {
  await service.stop();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {}, child: () => quiet };

async function startFtp(): Promise<{ port: number; root: string; close(): Promise<void> }> {
  const root = join(folder, 'ftp');
  await mkdir(root);
  const port = await closedPort();
  const settings = { url: `ftp://127.0.0.1:${port}`, pasv_url: '127.0.0.1', pasv_min: 42_000, pasv_max: 42_999, log: quiet };
  const server = new FtpSrv(settings as unknown as ConstructorParameters<typeof FtpSrv>[0]);
  server.on('login', ({ password }, resolve, reject) => (password === secrets[0] ? resolve({ root }) : reject(new Error('no'))));
  await server.listen();
  return { port, root, close: () => server.close() };
}

const webhookTarget = (url = receiver.url): object => ({ type: 'webhook', endpoint: `${url}/${secrets[2]}` });
const withExports = (exports: unknown, comment = ''): object => ({ ...movie(comment), id: 'spring', 'client-data': { order: 7 }, exports });
const submit = async (key: string, script: object) => {
  const { status, body } = await service.call('POST', '/api/render', { key, body: script });
  expect(status, JSON.stringify(body)).toBe(202);
  return String(body.job_id);
};
const exportsOf = async (key: string, jobId: string) =>
  (await service.call('GET', `/api/jobs/${jobId}`, { key })).body.exports as Array<Record<string, unknown>>;
const decided = (key: string, jobId: string) => until(async () => (await exportsOf(key, jobId)).every(({ status }) => status !== 'pending'), 30_000);

it('delivers the file to each target in order after the job completes and removes the secrets', async () => {
  const ftp = await startFtp();
  const s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3'), configureBuckets: [{ name: 'films', configs: [] }] });
  const { port } = await s3.run();
  const { key } = await service.createKey();
  const destinations = [
    { type: 'ftp', host: '127.0.0.1', port: ftp.port, username: 'films', password: secrets[0], secure: false, file: 'film.mp4' },
    { type: 's3', endpoint: `http://127.0.0.1:${port}`, bucket: 'films', key: 'film.mp4', access_key_id: 'S3RVER', secret_access_key: 'S3RVER' },
    webhookTarget(),
  ];
  const jobId = await submit(key, withExports([{ destinations }], 'ms=500'));
  expect(await exportsOf(key, jobId)).toEqual([
    { type: 'ftp', status: 'pending' },
    { type: 's3', status: 'pending' },
    { type: 'webhook', status: 'pending' },
  ]);
  const job = await service.waitForEnd(key, jobId);
  expect(job.status).toBe('completed');
  await decided(key, jobId);
  const ftpLocation = `ftp://127.0.0.1:${ftp.port}/film.mp4`;
  expect(await exportsOf(key, jobId)).toEqual([
    { type: 'ftp', status: 'delivered', location: ftpLocation, message: `Delivered to ${ftpLocation}.` },
    { type: 's3', status: 'delivered', location: 's3://films/film.mp4', message: 'Delivered to s3://films/film.mp4.' },
    { type: 'webhook', status: 'delivered', location: new URL(receiver.url).origin, message: `Delivered to ${new URL(receiver.url).origin}.` },
  ]);
  const video = await readFile(join(service.dataDir, 'outputs', (await readdir(join(service.dataDir, 'outputs')))[0] ?? ''));
  expect(video.length).toBe(1000);
  expect(await readFile(join(ftp.root, 'film.mp4'))).toEqual(video);
  expect(await readFile(join(folder, 's3', 'films', 'film.mp4._S3rver_object'))).toEqual(video);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    width: '320',
    height: '180',
    duration: '2',
    size: '1000',
    project: jobId,
    id: 'spring',
    'client-data': { order: 7 },
    url: job.output_uri,
  });
  await until(async () => !(await hasSecrets()), 5000);
  expect(service.log.join('')).not.toMatch(new RegExp(secrets.join('|')));
  expect((await service.call('GET', `/api/jobs/${jobId}`, { key })).text).not.toMatch(new RegExp(secrets.join('|')));
  await ftp.close();
  await s3.close();
});

async function hasSecrets(): Promise<boolean> {
  const bytes = await storedBytes(await databaseOf(service.dataDir));
  expect(bytes.length).toBeGreaterThan(0);
  return secrets.some((secret) => bytes.includes(secret));
}

it('stores the secrets while they are needed (checks the search itself)', async () => {
  const { key } = await service.createKey();
  await submit(key, withExports([webhookTarget()], 'ms=2000'));
  expect(await hasSecrets()).toBe(true);
});

it('hides exports from render processes', async () => {
  const { key } = await service.createKey();
  const jobId = await submit(key, withExports([webhookTarget()]));
  const { script } = await service.app.db.selectFrom('jobs').select('script').where('id', '=', jobId).executeTakeFirstOrThrow();
  expect(script).not.toContain(secrets[2]);
  expect(JSON.parse(script).exports[0].type).toBe('webhook');
  await decided(key, jobId);
});

it('keeps the job completed and serves the remaining targets when an export fails', async () => {
  const refusing = await startReceiver(answer(403));
  const { key } = await service.createKey();
  const jobId = await submit(key, withExports([webhookTarget(refusing.url), webhookTarget()]));
  expect((await service.waitForEnd(key, jobId)).status).toBe('completed');
  await decided(key, jobId);
  const host = new URL(refusing.url).host;
  expect(await exportsOf(key, jobId)).toMatchObject([{ status: 'failed', message: `${host} answered 403.` }, { status: 'delivered' }]);
  expect((await service.call('GET', `/api/jobs/${jobId}`, { key })).body).toMatchObject({ status: 'completed', credits_used: 2 });
  await refusing.close();
});

it('delivers nothing for a failed job', async () => {
  const { key } = await service.createKey();
  const jobId = await submit(key, withExports([webhookTarget()], 'fail'));
  expect((await service.waitForEnd(key, jobId)).exports).toEqual([
    { type: 'webhook', status: 'failed', message: 'The render failed, so there was nothing to deliver.' },
  ]);
  await pause(1500);
  expect(receiver.received).toHaveLength(0);
  expect(await service.app.db.selectFrom('deliveries').select('target').execute()).toEqual([{ target: null }]);
});

it('omits exports from a job that has none', async () => {
  const { key } = await service.createKey();
  const jobId = await submit(key, movie());
  expect(await service.waitForEnd(key, jobId)).not.toHaveProperty('exports');
});

it.each([
  ['a wrong type', [{ type: 'sfpt' }], 'exports.0.type'],
  ['a missing field', [{ destinations: [{ type: 's3', bucket: 'b' }] }], 'exports.0.destinations.0.access_key_id'],
  ['an address inside', [{ type: 'ftp', host: '10.0.0.1', username: 'a', password: 'b' }], 'exports.0.host'],
  ['e-mail where there is no mail server', [{ type: 'email', to: 'a@example.com', subject: 's', message: 'm' }], 'exports.0.type'],
])('refuses %s at submission with its path, and charges nothing', async (_what, exports, path) => {
  const { key, accountId } = await service.createKey();
  const { status, body } = await service.call('POST', '/api/render', { key, body: withExports(exports) });
  expect([status, body.error?.code, body.error?.path]).toEqual([400, 'SCHEMA_VALIDATION_ERROR', path]);
  expect(await service.balance(accountId)).toBe(1000);
});

it('describes every target in one self-contained schema', async () => {
  const { body } = await service.call('GET', '/api/render/schema');
  const text = JSON.stringify(body);
  expect(body).toMatchObject({ properties: { exports: { $ref: '#/$defs/exports' } } });
  for (const [, name = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
    expect(name).toMatch(/^#\/\$defs\//);
    expect(body.$defs).toHaveProperty(name.slice('#/$defs/'.length));
  }
  for (const part of ['exportS3', 'exportFtp', 'exportSftp', 'exportEmail', 'exportYoutube', 'exportWebhook']) expect(body.$defs).toHaveProperty(part);
});

it('resumes pending exports after a restart', async () => {
  const hanging = await startReceiver(hang);
  const { key } = await service.createKey();
  const jobId = await submit(key, withExports([webhookTarget(), webhookTarget(hanging.url)]));
  await hanging.waitFor(1);
  await until(async () => (await exportsOf(key, jobId))[0]?.status === 'delivered');
  await service.stop();
  service = await startService({ dataDir: join(folder, 'service'), environment });
  await hanging.waitFor(2);
  expect(await exportsOf(key, jobId)).toMatchObject([{ status: 'delivered' }, { status: 'pending' }]);
  expect(receiver.received).toHaveLength(1);
  // An orderly stop does not count as a run.
  expect((await service.app.db.selectFrom('deliveries').select('runs').orderBy('ordinal').execute()).map((row) => row.runs)).toEqual([1, 1]);
  await hanging.close();
});
