import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverExports, parseExports } from '../../../../src/delivery/exports/index.js';
import { createOutbound } from '../../../../src/outbound/index.js';
import { closedPort, type Folder, localParts, makeFile, makeStream, sha256Of, startRawServer, sumsOf, temporaryFolder } from './fixtures.js';

const sshd = '/usr/sbin/sshd';
const hasSshd = existsSync(sshd);
if (!hasSshd) console.warn('SKIPPED: SFTP exports against OpenSSH: /usr/sbin/sshd is not installed (apt: openssh-server)');

let folder: Folder;
let server: ChildProcess | undefined;
let port = 0;
let hostKeyFingerprint = '';
let privateKey = '';
let lockedKey = '';

function makeKey(path: string, passphrase = ''): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', path]);
}

/** An OpenSSH server for the user that runs the tests; it accepts only keys, because tests do not know the user's password. */
async function startSshd(): Promise<void> {
  const inFolder = (name: string): string => join(folder.path, name);
  makeKey(inFolder('host'));
  makeKey(inFolder('user'));
  makeKey(inFolder('locked'), 'open sesame');
  privateKey = await readFile(inFolder('user'), 'utf8');
  lockedKey = await readFile(inFolder('locked'), 'utf8');
  await writeFile(inFolder('authorized'), (await readFile(inFolder('user.pub'), 'utf8')) + (await readFile(inFolder('locked.pub'), 'utf8')));
  await chmod(inFolder('authorized'), 0o600);
  hostKeyFingerprint = execFileSync('ssh-keygen', ['-lf', inFolder('host.pub')], { encoding: 'utf8' }).split(' ')[1] ?? '';
  port = await closedPort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${inFolder('host')}`,
    `PidFile ${inFolder('sshd.pid')}`,
    `AuthorizedKeysFile ${inFolder('authorized')}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'Subsystem sftp internal-sftp',
    'ForceCommand internal-sftp',
  ];
  await writeFile(inFolder('sshd.conf'), `${settings.join('\n')}\n`);
  // The privilege separation folder of sshd, which only root needs.
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true });
  server = spawn(sshd, ['-D', '-e', '-f', inFolder('sshd.conf')], { stdio: 'ignore' });
  await answers(port);
}

async function answers(onPort: number): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    const socket = createConnection(onPort, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)));
    socket.destroy();
    if (isOpen) return;
    await wait(50);
  }
  throw new Error('sshd did not start');
}

beforeAll(async () => {
  folder = await temporaryFolder();
  if (hasSshd) await startSshd();
});

afterAll(async () => {
  server?.kill();
  await folder.remove();
});

const target = (fields: object = {}): unknown => [
  {
    type: 'sftp',
    host: '127.0.0.1',
    port,
    username: userInfo().username,
    private_key: privateKey,
    'host-key-fingerprint': hostKeyFingerprint,
    remote_path: join(folder.path, 'in'),
    ...fields,
  },
];

describe.skipIf(!hasSshd)('export by SFTP to OpenSSH', () => {
  it('uploads 12 MB under the final name and creates its folders', async () => {
    const file = await makeFile(folder.path, 12_000_001);
    const remote_path = join(folder.path, 'deep', '__yyyy__', '__mm__');
    const [result] = await deliverExports(parseExports(target({ remote_path })), file, localParts());
    const folderThere = join(folder.path, 'deep', '2031', '02');
    expect(result).toMatchObject({ status: 'delivered', attempts: 1, location: `sftp://127.0.0.1:${port}${folderThere}/${file.name}` });
    expect(await readdir(folderThere)).toEqual([file.name]);
    expect(sha256Of(await readFile(join(folderThere, file.name)))).toBe(file.sha256);
  });

  it('uploads an output of several files as a folder', async () => {
    const stream = await makeStream(folder.path);
    const [result] = await deliverExports(parseExports(target({ file: '__yyyy__' })), stream, localParts());
    const folderThere = join(folder.path, 'in', '2031');
    expect(result).toMatchObject({ status: 'delivered', attempts: 1, location: `sftp://127.0.0.1:${port}${folderThere}/stream.m3u8` });
    expect(await sumsOf(folderThere)).toEqual(stream.sums);
  });

  it('replaces an existing file and accepts a key with a passphrase', async () => {
    const file = await makeFile(folder.path, 3_000);
    await mkdir(join(folder.path, 'in'), { recursive: true });
    await writeFile(join(folder.path, 'in', 'film.mp4'), 'old');
    const [result] = await deliverExports(parseExports(target({ file: 'film.mp4', private_key: lockedKey, passphrase: 'open sesame' })), file, localParts());
    expect(result).toMatchObject({ status: 'delivered' });
    expect((await stat(join(folder.path, 'in', 'film.mp4'))).size).toBe(3_000);
  });

  it('refuses another host key before it sends a secret', async () => {
    const fingerprint = `SHA256:${'A'.repeat(43)}`;
    const [result] = await deliverExports(parseExports(target({ 'host-key-fingerprint': fingerprint })), await makeFile(folder.path, 10), localParts());
    expect(result).toMatchObject({
      status: 'failed',
      attempts: 1,
      message: expect.stringContaining('presented a host key that does not match host_key_fingerprint'),
    });
  });

  it('fails at once on a wrong password or key', async () => {
    const file = await makeFile(folder.path, 10);
    makeKey(join(folder.path, 'stranger'));
    const strangers = await readFile(join(folder.path, 'stranger'), 'utf8');
    for (const fields of [{ password: 'guess-1234', private_key: null }, { private_key: strangers }]) {
      const [result] = await deliverExports(parseExports(target(fields)), file, localParts());
      expect(result).toEqual({ type: 'sftp', status: 'failed', attempts: 1, message: `127.0.0.1:${port} refused the user name, the password or the key.` });
    }
  });

  it('reports an unreadable key and an unwritable folder', async () => {
    const file = await makeFile(folder.path, 10);
    const [locked] = await deliverExports(parseExports(target({ private_key: lockedKey, passphrase: 'wrong one' })), file, localParts());
    expect(locked).toMatchObject({ status: 'failed', attempts: 1, message: expect.stringContaining('the private key cannot be read') });
    const [blocked] = await deliverExports(parseExports(target({ remote_path: '/proc/films' })), file, localParts());
    expect(blocked?.status).toBe('failed');
    expect(blocked?.message).toMatch(/has no such folder|could not write the file|denied the permission/);
  });
});

describe('export by SFTP', () => {
  it('logs in with a password and reports an account without SFTP', async () => {
    const hostKey = join(folder.path, 'other-host');
    makeKey(hostKey);
    const clients = new Set<{ end(): void }>();
    const shellOnly = new ssh2.Server({ hostKeys: [await readFile(hostKey)] }, (client) => {
      clients.add(client);
      client.on('error', () => {});
      client.on('authentication', (context) => {
        if (context.method === 'password' && context.username === 'films' && context.password === 'open sesame!') context.accept();
        else context.reject(['password']);
      });
      client.on('session', (accept) => accept().on('sftp', (_accept, reject) => reject()));
    });
    shellOnly.listen(0, '127.0.0.1');
    await once(shellOnly, 'listening');
    const fields = {
      port: (shellOnly.address() as AddressInfo).port,
      username: 'films',
      password: 'open sesame!',
      private_key: null,
      'host-key-fingerprint': null,
    };
    const file = await makeFile(folder.path, 10);
    const [accepted] = await deliverExports(parseExports(target(fields)), file, localParts());
    expect(accepted).toMatchObject({ status: 'failed', attempts: 1, message: `127.0.0.1:${fields.port} offers no SFTP to this account.` });
    const [wrong] = await deliverExports(parseExports(target({ ...fields, password: 'guess-1234' })), file, localParts());
    expect(wrong).toMatchObject({ status: 'failed', attempts: 1, message: `127.0.0.1:${fields.port} refused the user name, the password or the key.` });
    for (const client of clients) client.end();
    shellOnly.close();
  });

  it('makes four attempts if the connection is refused or the server is silent', async () => {
    const file = await makeFile(folder.path, 10);
    const nobody = await closedPort();
    const [closed] = await deliverExports(parseExports(target({ port: nobody, password: 'guess', private_key: null })), file, localParts());
    expect(closed).toMatchObject({ status: 'failed', attempts: 4, message: `127.0.0.1:${nobody} refused the connection.` });
    const silent = await startRawServer();
    const fields = { port: silent.port, password: 'guess', private_key: null, 'host-key-fingerprint': null };
    const [hanging] = await deliverExports(parseExports(target(fields)), file, localParts({ idleMs: 120 }));
    expect(hanging).toMatchObject({ status: 'failed', attempts: 4, message: `127.0.0.1:${silent.port} did not answer in time.` });
    await silent.close();
  });

  it('does not connect to a name that resolves to a private address', async () => {
    const silent = await startRawServer();
    const outbound = createOutbound({ allowPrivateHosts: [], resolve: async () => ['10.0.0.7', '93.184.216.34'] });
    const fields = { host: 'files.example.com', port: silent.port, password: 'guess', private_key: null, 'host-key-fingerprint': null };
    const [result] = await deliverExports(parseExports(target(fields)), await makeFile(folder.path, 10), { ...localParts(), outbound });
    expect(result).toMatchObject({ status: 'failed', attempts: 1, message: `files.example.com:${silent.port} does not lead to a public address.` });
    expect(silent.connections).toBe(0);
    await silent.close();
  });
});
