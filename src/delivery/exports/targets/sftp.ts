import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Client, type ClientErrorExtensions, type ConnectConfig, type SFTPWrapper, type Stats } from 'ssh2';
import type { DeliveryContext, ExportFile } from '../delivery.js';
import { ExportFailure, permanent, transient } from '../export-failure.js';
import type { SftpTarget } from '../target.js';
import { locationOf, type RemoteName, remoteName } from './remote-name.js';

/** Status codes of the protocol (draft-ietf-secsh-filexfer-02, section 7) and what they say. */
const statuses: Readonly<Record<number, string>> = { 2: 'has no such folder', 3: 'denied the permission to write there', 4: 'could not write the file' };
const NO_SUCH_FILE = 2;
const FAILURE = 4;

export async function deliverSftp(target: SftpTarget, { file, options: parts, idleMs, signal }: DeliveryContext): Promise<string> {
  const name = remoteName(target, file, parts.random);
  const socket = await parts.outbound.connect(target.host, target.port, { signal });
  socket.setTimeout(idleMs, () => socket.destroy(transient('did not answer in time')));
  const client = new Client();
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  const lost = lossOf(client, socket);
  try {
    const sftp = await Promise.race([openSftp(client, configFor(target, socket, idleMs)), lost]);
    await Promise.race([store(sftp, file, name), lost]);
    return locationOf('sftp', target, 22, name.path);
  } catch (error) {
    throw toFailure(error);
  } finally {
    client.end();
  }
}

function configFor(target: SftpTarget, sock: Socket, idleMs: number): ConnectConfig {
  return {
    sock,
    username: target.username,
    readyTimeout: idleMs,
    ...(target.password === undefined ? {} : { password: target.password }),
    ...(target.privateKey === undefined ? {} : { privateKey: target.privateKey }),
    ...(target.passphrase === undefined ? {} : { passphrase: target.passphrase }),
    hostVerifier: (key: Buffer) => target.hostKeyFingerprint === undefined || fingerprintOf(key) === target.hostKeyFingerprint,
  };
}

function fingerprintOf(hostKey: Buffer): string {
  return createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '');
}

/** Rejects when the connection ends: ssh2 leaves what waits on it waiting. */
function lossOf(client: Client, socket: Socket): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => {
    socket.on('error', reject);
    client.on('error', reject);
    client.on('close', () => reject(transient('broke off the connection')));
  });
  // After the end nobody listens.
  lost.catch(() => {});
  return lost;
}

function openSftp(client: Client, config: ConnectConfig): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.once('ready', () => client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(permanent('offers no SFTP to this account')))));
    try {
      client.connect(config);
    } catch {
      // Only the key is read before anything is sent.
      reject(permanent('was not asked: the private key cannot be read (wrong form, or wrong passphrase)'));
    }
  });
}

async function store(sftp: SFTPWrapper, file: ExportFile, name: RemoteName): Promise<void> {
  await makeFolder(sftp, name.folder);
  const temporaryPath = `${name.folder}/${name.temporaryName}`;
  try {
    await pipeline(createReadStream(file.path), sftp.createWriteStream(temporaryPath));
    const { size } = await stat(sftp, temporaryPath);
    if (size !== file.sizeBytes) throw transient(`stored ${size} bytes of ${file.sizeBytes}`);
    await replace(sftp, temporaryPath, name.path);
  } catch (error) {
    await done((callback) => sftp.unlink(temporaryPath, callback)).catch(() => {});
    throw error;
  }
}

async function makeFolder(sftp: SFTPWrapper, folder: string): Promise<void> {
  if (folder === '.' || folder === '/') return;
  try {
    await stat(sftp, folder);
  } catch (error) {
    if (statusOf(error) !== NO_SUCH_FILE) throw error;
    await makeFolder(sftp, folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) || '/' : '.');
    await done((callback) => sftp.mkdir(folder, callback));
  }
}

/** OpenSSH renames onto a file; without its extension the old file has to go first. */
async function replace(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  try {
    await done((callback) => sftp.ext_openssh_rename(from, to, callback));
  } catch {
    await done((callback) => sftp.unlink(to, callback)).catch(() => {});
    await done((callback) => sftp.rename(from, to, callback));
  }
}

function stat(sftp: SFTPWrapper, path: string): Promise<Stats> {
  return new Promise((resolve, reject) => sftp.stat(path, (error, stats) => (error === undefined ? resolve(stats) : reject(error))));
}

function done(ask: (callback: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => ask((error) => (error === undefined || error === null ? resolve() : reject(error))));
}

function statusOf(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function toFailure(error: unknown): unknown {
  const { level } = (error instanceof Error ? error : {}) as ClientErrorExtensions;
  if (level === 'client-authentication') return permanent('refused the user name, the password or the key');
  if (level === 'client-timeout') return transient('did not answer in time');
  // What fails while keys are exchanged is the host key or the lack of a cipher in common.
  if (level === 'handshake') return permanent('has another host key than the one whose fingerprint is given, or shares no algorithm');
  const status = statusOf(error);
  if (status === undefined) return error;
  return new ExportFailure(statuses[status] ?? `answered with status ${status}`, status === FAILURE);
}
