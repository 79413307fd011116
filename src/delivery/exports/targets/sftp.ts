import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Client, type ClientErrorExtensions, type ConnectConfig, type SFTPWrapper, type Stats } from 'ssh2';
import type { DeliveryContext, ExportFile } from '../delivery.js';
import { ExportFailure, permanent, transient } from '../export-failure.js';
import type { SftpTarget } from '../target.js';
import { locationOf, type RemoteName, remoteName } from './remote-name.js';

/** Status codes of the protocol (draft-ietf-secsh-filexfer-02, section 7) and their meaning. */
const statuses: Readonly<Record<number, string>> = { 2: 'has no such folder', 3: 'denied the permission to write there', 4: 'could not write the file' };
const NO_SUCH_FILE = 2;
const FAILURE = 4;

/** Uploads a file over SFTP under a temporary name and renames it; returns its URL. */
export async function deliverSftp(target: SftpTarget, { file, options, idleMs, signal }: DeliveryContext): Promise<string> {
  const name = remoteName(target, file);
  const socket = await options.outbound.connect(target.host, target.port, { signal });
  socket.setTimeout(idleMs, () => socket.destroy(transient('did not answer in time')));
  const client = new Client();
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  const lost = connectionLoss(client, socket);
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

/** Rejects when the connection ends: ssh2 leaves pending operations unsettled. */
function connectionLoss(client: Client, socket: Socket): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => {
    socket.on('error', reject);
    client.on('error', reject);
    client.on('close', () => reject(transient('broke off the connection')));
  });
  // Prevents an unhandled rejection after the delivery has ended.
  lost.catch(() => {});
  return lost;
}

function openSftp(client: Client, config: ConnectConfig): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.once('ready', () => client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(permanent('offers no SFTP to this account')))));
    try {
      client.connect(config);
    } catch {
      // Before connecting, ssh2 only parses the private key.
      reject(permanent('was not contacted: the private key cannot be read (unsupported format or wrong passphrase)'));
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
    await promisify((callback) => sftp.unlink(temporaryPath, callback)).catch(() => {});
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
    await promisify((callback) => sftp.mkdir(folder, callback));
  }
}

/** Renames over an existing file with OpenSSH's extension; without it, the existing file is removed first. */
async function replace(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  try {
    await promisify((callback) => sftp.ext_openssh_rename(from, to, callback));
  } catch {
    await promisify((callback) => sftp.unlink(to, callback)).catch(() => {});
    await promisify((callback) => sftp.rename(from, to, callback));
  }
}

function stat(sftp: SFTPWrapper, path: string): Promise<Stats> {
  return new Promise((resolve, reject) => sftp.stat(path, (error, stats) => (error === undefined ? resolve(stats) : reject(error))));
}

function promisify(run: (callback: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => run((error) => (error === undefined || error === null ? resolve() : reject(error))));
}

function statusOf(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function toFailure(error: unknown): unknown {
  const { level } = (error instanceof Error ? error : {}) as ClientErrorExtensions;
  if (level === 'client-authentication') return permanent('refused the user name, the password or the key');
  if (level === 'client-timeout') return transient('did not answer in time');
  // The handshake fails on a host key mismatch or when no common algorithm exists.
  if (level === 'handshake') return permanent('presented a host key that does not match host_key_fingerprint, or supports no common algorithm');
  const status = statusOf(error);
  if (status === undefined) return error;
  return new ExportFailure(statuses[status] ?? `answered with status ${status}`, status === FAILURE);
}
