import { execFileSync } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FtpSrv } from 'ftp-srv';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deliverExports, parseExports } from '../../../../src/delivery/exports/index.js';
import { createOutbound } from '../../../../src/outbound/index.js';
import { closedPort, type Folder, localParts, makeFile, makeStream, sha256Of, startRawServer, sumsOf, temporaryFolder } from './fixtures.js';

let folder: Folder;
let tls: { key: Buffer; cert: Buffer; fingerprint: string };
const open: FtpSrv[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=ftp.test', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const printed = execFileSync('openssl', ['x509', '-in', cert, '-noout', '-fingerprint', '-sha256'], { encoding: 'utf8' });
  tls = { key: await readFile(key), cert: await readFile(cert), fingerprint: printed.trim().split('=')[1] ?? '' };
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

afterAll(() => folder.remove());

const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {}, child: () => quiet };

/** An FTP server whose user has a separate folder. */
async function startFtp(root: string, security?: 'explicit' | 'implicit'): Promise<number> {
  await mkdir(root, { recursive: true });
  const port = await closedPort();
  const server = new FtpSrv({
    url: `${security === 'implicit' ? 'ftps' : 'ftp'}://127.0.0.1:${port}`,
    pasv_url: '127.0.0.1',
    pasv_min: 41_000,
    pasv_max: 41_999,
    log: quiet,
    ...(security === undefined ? {} : { tls: { key: tls.key, cert: tls.cert } }),
  } as unknown as ConstructorParameters<typeof FtpSrv>[0]);
  server.on('login', ({ username, password }, resolve, reject) => {
    if (username === 'films' && password === 'open sesame!') resolve({ root });
    else reject(new Error('no such account'));
  });
  open.push(server);
  await server.listen();
  return port;
}

const target = (port: number, fields: object = {}): unknown => [
  { destinations: [{ type: 'ftp', host: '127.0.0.1', port: String(port), username: 'films', password: 'open sesame!', ...fields }] },
];

describe('export by FTP', () => {
  it('uploads the file under its final name and creates its folder', async () => {
    const root = join(folder.path, 'plain');
    const port = await startFtp(root);
    const file = await makeFile(folder.path, 12_000_001);
    const [result] = await deliverExports(parseExports(target(port, { 'remote-path': '/new/__yyyy__', file: 'film __hh____nn__.mp4' })), file, localParts());
    expect(result).toEqual({
      type: 'ftp',
      status: 'delivered',
      location: `ftp://127.0.0.1:${port}/new/2031/film%200405.mp4`,
      attempts: 1,
      message: `Delivered to ftp://127.0.0.1:${port}/new/2031/film%200405.mp4.`,
    });
    expect(await readdir(join(root, 'new', '2031'))).toEqual(['film 0405.mp4']);
    expect(sha256Of(await readFile(join(root, 'new', '2031', 'film 0405.mp4')))).toBe(file.sha256);
  });

  it('uploads an output of several files as a folder, and what refers to the others last', async () => {
    const root = join(folder.path, 'stream');
    const port = await startFtp(root);
    await mkdir(join(root, 'videos', 'b5e1c1de-live'), { recursive: true });
    const arrived: string[] = [];
    const watching = watch(join(root, 'videos', 'b5e1c1de-live'), (_, name) => void (name?.startsWith('stream') && arrived.push(name)));
    const stream = await makeStream(folder.path);
    const [result] = await deliverExports(parseExports(target(port, { 'remote-path': '/videos' })), stream, localParts());
    watching.close();
    expect(result).toMatchObject({ status: 'delivered', location: `ftp://127.0.0.1:${port}/videos/b5e1c1de-live/stream.m3u8`, attempts: 1 });
    expect(await sumsOf(join(root, 'videos', 'b5e1c1de-live'))).toEqual(stream.sums);
    expect([...new Set(arrived)]).toEqual(['stream-360p.mp4', 'stream.m3u8']);
  });

  it('replaces an existing file', async () => {
    const root = join(folder.path, 'twice');
    const port = await startFtp(root);
    await writeFile(join(root, 'film.mp4'), 'old');
    const file = await makeFile(folder.path, 5_000);
    const [result] = await deliverExports(parseExports(target(port, { file: 'film.mp4' })), file, localParts());
    expect(result).toMatchObject({ status: 'delivered', location: `ftp://127.0.0.1:${port}/film.mp4` });
    expect(await readdir(root)).toEqual(['film.mp4']);
    expect(sha256Of(await readFile(join(root, 'film.mp4')))).toBe(file.sha256);
  });

  it('writes to the same final and temporary name when another run delivers the file again', async () => {
    const root = join(folder.path, 'again');
    const port = await startFtp(root);
    const file = await makeFile(folder.path, 5_000);
    const temporaryNames = new Set<string>();
    const watcher = watch(root, (_event, name) => name?.endsWith('.part') === true && temporaryNames.add(name));
    const targets = parseExports(target(port, { file: 'film __random__ __ss__.mp4' }));
    const [first] = await deliverExports(targets, file, localParts());
    const [again] = await deliverExports(targets, file, localParts());
    expect(again).toEqual(first);
    expect(first?.status).toBe('delivered');
    await expect.poll(() => temporaryNames.size).toBeGreaterThan(0);
    watcher.close();
    expect(await readdir(root)).toHaveLength(1);
    expect(temporaryNames.size).toBe(1);
  });

  it.each(['explicit', 'implicit'] as const)('takes %s TLS with the one certificate whose fingerprint is given', async (secure) => {
    const root = join(folder.path, secure);
    const port = await startFtp(root, secure);
    const file = await makeFile(folder.path, 2_000_003);
    const [result] = await deliverExports(
      parseExports(target(port, { secure, certificate_fingerprint: tls.fingerprint, file: 'film.mp4' })),
      file,
      localParts(),
    );
    expect(result).toMatchObject({ status: 'delivered', location: `ftps://127.0.0.1:${port}/film.mp4`, attempts: 1 });
    expect(sha256Of(await readFile(join(root, 'film.mp4')))).toBe(file.sha256);
  });

  it('refuses an untrusted certificate and one with another fingerprint', async () => {
    const port = await startFtp(join(folder.path, 'untrusted'), 'explicit');
    const file = await makeFile(folder.path, 1_000);
    const [unknown] = await deliverExports(parseExports(target(port, { secure: true })), file, localParts());
    expect(unknown).toMatchObject({ status: 'failed', message: `127.0.0.1:${port} has no certificate that can be trusted.` });
    const other = tls.fingerprint.replace(/^../, (pair) => (pair === '00' ? '01' : '00'));
    const [wrong] = await deliverExports(parseExports(target(port, { secure: true, certificate_fingerprint: other })), file, localParts());
    expect(wrong).toMatchObject({
      status: 'failed',
      attempts: 1,
      message: `127.0.0.1:${port} presented a certificate that does not match certificate_fingerprint.`,
    });
  });

  it('fails at once on a wrong password, without showing it', async () => {
    const port = await startFtp(join(folder.path, 'locked'));
    const file = await makeFile(folder.path, 1_000);
    const [result] = await deliverExports(parseExports(target(port, { password: 'guess-1234' })), file, localParts());
    expect(result).toEqual({ type: 'ftp', status: 'failed', attempts: 1, message: `127.0.0.1:${port} refused the user name or the password.` });
  });

  it('removes its secret from messages of the server', async () => {
    const echoing = await startRawServer((socket) => {
      socket.write('220 hello\r\n');
      socket.on('data', (bytes) => socket.write(bytes.toString().startsWith('PASS') ? '550 I know hunter-2222 well\r\n' : '331 go on\r\n'));
    });
    const [result] = await deliverExports(parseExports(target(echoing.port, { password: 'hunter-2222' })), await makeFile(folder.path, 10), localParts());
    expect(result?.message).toMatch(/I know \*\*\* well/);
    await echoing.close();
  });

  it('makes four attempts if the connection is refused or the server is silent', async () => {
    const file = await makeFile(folder.path, 1_000);
    const port = await closedPort();
    const parts = localParts();
    const [closed] = await deliverExports(parseExports(target(port)), file, parts);
    expect(closed).toMatchObject({ status: 'failed', attempts: 4, message: `127.0.0.1:${port} refused the connection.` });
    expect(parts.clock.slept).toEqual([1_000, 5_000, 25_000]);
    const silent = await startRawServer();
    const [hanging] = await deliverExports(parseExports(target(silent.port)), file, localParts({ idleMs: 120 }));
    expect(hanging).toMatchObject({ status: 'failed', attempts: 4 });
    expect(hanging?.message).toMatch(/broke off the connection or did not answer in time\.$/);
    await silent.close();
  });

  it('does not connect to a name that resolves to a private address', async () => {
    const silent = await startRawServer();
    const outbound = createOutbound({ allowPrivateHosts: [], resolve: async () => ['127.0.0.1'] });
    const [result] = await deliverExports(parseExports(target(silent.port, { host: 'ftp.example.com' })), await makeFile(folder.path, 10), {
      ...localParts(),
      outbound,
    });
    expect(result).toMatchObject({ status: 'failed', attempts: 1, message: `ftp.example.com:${silent.port} does not lead to a public address.` });
    expect(silent.connections).toBe(0);
    await silent.close();
  });
});
