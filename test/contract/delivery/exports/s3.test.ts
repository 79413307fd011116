import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverExports, parseExports } from '../../../../src/delivery/exports/index.js';
import { createOutbound } from '../../../../src/outbound/index.js';
import { closedPort, type Folder, localParts, makeFile, sha256Of, startRawServer, temporaryFolder } from './fixtures.js';

let folder: Folder;
let server: S3rver;
let endpoint: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder.path, 's3'), configureBuckets: [{ name: 'films', configs: [] }] });
  const { port } = await server.run();
  endpoint = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  await server.close();
  await folder.remove();
});

const target = (fields: object = {}): unknown => [{ type: 's3', endpoint, bucket: 'films', access_key_id: 'S3RVER', secret_access_key: 'S3RVER', ...fields }];
const stored = (key: string): Promise<Buffer> => readFile(join(folder.path, 's3', 'films', `${key}._S3rver_object`));

describe('export to S3', () => {
  it('uploads 12 MB in parts, byte for byte', async () => {
    const file = await makeFile(folder.path, 12_000_001);
    const [result] = await deliverExports(parseExports(target({ prefix: 'renders/__yyyy__-__mm__-__dd__' })), file, localParts());
    const key = `renders/2031-02-03/${file.name}`;
    expect(result).toEqual({ type: 's3', status: 'delivered', location: `s3://films/${key}`, attempts: 1, message: `Delivered to s3://films/${key}.` });
    const bytes = await stored(key);
    expect(bytes.length).toBe(file.sizeBytes);
    expect(sha256Of(bytes)).toBe(file.sha256);
  });

  it('uploads a small file in one request under its full key', async () => {
    const file = await makeFile(folder.path, 70_001, 'small.mp4');
    const [result] = await deliverExports(
      parseExports(target({ key: '/a b/__filename_without_extension__.final.__filename_extension__' })),
      file,
      localParts(),
    );
    expect(result?.location).toBe('s3://films/a b/small.final.mp4');
    expect(sha256Of(await stored('a b/small.final.mp4'))).toBe(file.sha256);
  });

  it.each([
    ['a wrong key', { access_key_id: 'AKIAWRONG', secret_access_key: 'quite-wrong-secret' }, /answered 403 InvalidAccessKeyId\.$/],
    ['a bucket that is not there', { bucket: 'nowhere' }, /answered 404 NoSuchBucket\.$/],
  ])('says so for %s, and does not try again', async (_what, fields, message) => {
    const file = await makeFile(folder.path, 1000, 'refused.mp4');
    const [result] = await deliverExports(parseExports(target(fields)), file, localParts());
    expect(result).toMatchObject({ type: 's3', status: 'failed', attempts: 1, message: expect.stringMatching(message) });
    expect(JSON.stringify(result)).not.toMatch(/quite-wrong-secret|AKIAWRONG/);
  });

  it('requires a trusted certificate over https', async () => {
    const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const options = { port: 0, address: '127.0.0.1', silent: true, directory: join(folder.path, 'tls'), configureBuckets: [{ name: 'films', configs: [] }] };
    const secure = new S3rver({ ...options, key: await readFile(key), cert: await readFile(cert) });
    const { port } = await secure.run();
    const file = await makeFile(folder.path, 1_000, 'tls.mp4');
    const [result] = await deliverExports(parseExports(target({ endpoint: `https://127.0.0.1:${port}` })), file, localParts());
    expect(result).toMatchObject({ status: 'failed', message: `127.0.0.1:${port} has no certificate that can be trusted.` });
    await secure.close();
  });

  it('makes four attempts if the connection is refused', async () => {
    const file = await makeFile(folder.path, 1000, 'closed.mp4');
    const parts = localParts();
    const port = await closedPort();
    const [result] = await deliverExports(parseExports(target({ endpoint: `http://127.0.0.1:${port}` })), file, parts);
    expect(result).toMatchObject({ status: 'failed', attempts: 4, message: `127.0.0.1:${port} refused the connection.` });
    expect(parts.clock.slept).toEqual([1_000, 5_000, 25_000]);
  });

  it('fails if the store is silent', async () => {
    const silent = await startRawServer();
    const file = await makeFile(folder.path, 1000, 'silent.mp4');
    const started = Date.now();
    const [result] = await deliverExports(parseExports(target({ endpoint: `http://127.0.0.1:${silent.port}` })), file, localParts({ idleMs: 150 }));
    expect(result).toMatchObject({ status: 'failed', attempts: 4, message: `127.0.0.1:${silent.port} did not answer in time.` });
    expect(Date.now() - started).toBeLessThan(10_000);
    await silent.close();
  });

  it('does not connect to a private address unless the operator allows it', async () => {
    const silent = await startRawServer();
    const file = await makeFile(folder.path, 1000, 'private.mp4');
    const outbound = createOutbound({ allowPrivateHosts: [], resolve: async () => ['127.0.0.1'] });
    for (const host of ['127.0.0.1', 'store.example.com']) {
      const [result] = await deliverExports(parseExports(target({ endpoint: `http://${host}:${silent.port}` })), file, { ...localParts(), outbound });
      expect(result).toMatchObject({ status: 'failed', attempts: 1, message: `${host}:${silent.port} does not lead to a public address.` });
    }
    expect(silent.connections).toBe(0);
    await silent.close();
  });
});
