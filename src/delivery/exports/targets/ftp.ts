import { createReadStream } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, TLSSocket, connect as tlsConnect } from 'node:tls';
import { Client, FTPError } from 'basic-ftp';
import { failureText } from '../../../outbound/index.js';
import type { DeliveryContext } from '../delivery.js';
import { ExportFailure, permanent, quoted, transient } from '../export-failure.js';
import type { FtpTarget } from '../target.js';
import { locationOf, type RemoteName, remoteName } from './remote-name.js';

export async function deliverFtp(target: FtpTarget, { file, options: parts, idleMs, signal }: DeliveryContext): Promise<string> {
  // Data connections go to the address of the control connection, which was checked when it was dialled.
  const client = new Client(idleMs, { allowSeparateTransferHost: false });
  signal.addEventListener('abort', () => client.close(), { once: true });
  const name = remoteName(target, file, parts.random);
  try {
    await logIn(client, target, await parts.outbound.connect(target.host, target.port, { signal }));
    if (name.folder !== '.') await client.ensureDir(name.folder);
    await upload(client, file, name);
    return locationOf(target.secure === 'no' ? 'ftp' : 'ftps', target, target.secure === 'implicit' ? 990 : 21, name.path);
  } catch (error) {
    throw toFailure(error);
  } finally {
    client.close();
  }
}

async function logIn(client: Client, target: FtpTarget, plain: Socket): Promise<void> {
  const options = tlsOptions(target);
  const socket = target.secure === 'implicit' ? await secured(plain, options) : plain;
  client.ftp.reset();
  client.ftp.socket = socket;
  if (target.secure === 'implicit') client.ftp.tlsOptions = options;
  await greeting(client);
  if (target.secure === 'explicit') await client.useTLS(options);
  if (target.certificateFingerprint !== undefined) pinCertificate(client, target.certificateFingerprint);
  await client.login(target.username, target.password);
  await client.useDefaultSettings();
}

function tlsOptions({ host, certificateFingerprint }: FtpTarget): ConnectionOptions {
  return { host, ...(isIP(host) === 0 ? { servername: host } : {}), ...(certificateFingerprint === undefined ? {} : { rejectUnauthorized: false }) };
}

function secured(socket: Socket, options: ConnectionOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tls = tlsConnect({ ...options, socket }, () => resolve(tls));
    tls.once('error', reject);
  });
}

/** The server speaks first, on a socket that was connected elsewhere. */
function greeting(client: Client): Promise<unknown> {
  return client.ftp.handle(undefined, (response, task) => {
    if (response instanceof Error) task.reject(response);
    else if (response.code === 220) task.resolve(response);
    else task.reject(new FTPError(response));
  });
}

/** Where one certificate alone is accepted, it is compared on the control connection and on the data connection. */
function pinCertificate(client: Client, fingerprint: string): void {
  requireCertificate(client.ftp.socket, fingerprint);
  const prepare = client.prepareTransfer.bind(client);
  client.prepareTransfer = async (ftp) => {
    const response = await prepare(ftp);
    const { dataSocket } = ftp;
    dataSocket?.prependOnceListener('secureConnect', () => {
      if (!hasCertificate(dataSocket, fingerprint)) dataSocket.destroy(wrongCertificate());
    });
    return response;
  };
}

function requireCertificate(socket: Socket, fingerprint: string): void {
  if (!hasCertificate(socket, fingerprint)) throw wrongCertificate();
}

function hasCertificate(socket: Socket, fingerprint: string): boolean {
  return socket instanceof TLSSocket && socket.getPeerCertificate().fingerprint256 === fingerprint;
}

function wrongCertificate(): ExportFailure {
  return permanent('has another certificate than the one whose fingerprint is given');
}

async function upload(client: Client, file: { path: string; sizeBytes: number }, { name, temporaryName }: RemoteName): Promise<void> {
  try {
    await client.uploadFrom(createReadStream(file.path), temporaryName);
    await checkSize(client, temporaryName, file.sizeBytes);
    await rename(client, temporaryName, name);
  } catch (error) {
    // The connection may be what failed; then the rest stays there.
    if (!client.closed) await client.remove(temporaryName, true).catch(() => {});
    throw error;
  }
}

async function checkSize(client: Client, name: string, sizeBytes: number): Promise<void> {
  let stored: number;
  try {
    stored = await client.size(name);
  } catch (error) {
    // Not every server tells sizes.
    if (error instanceof FTPError) return;
    throw error;
  }
  if (stored !== sizeBytes) throw transient(`stored ${stored} bytes of ${sizeBytes}`);
}

/** Some servers do not rename onto a file that is there. */
async function rename(client: Client, from: string, to: string): Promise<void> {
  try {
    await client.rename(from, to);
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    await client.remove(to, true);
    await client.rename(from, to);
  }
}

function isUncoded(error: unknown): boolean {
  return !(error instanceof ExportFailure) && failureText(error) === undefined;
}

function toFailure(error: unknown): unknown {
  // The client's own errors, a time-out among them, carry no code that would tell them apart.
  if (!(error instanceof FTPError)) return isUncoded(error) ? transient('broke off the connection or did not answer in time') : error;
  if (error.code === 530) return permanent('refused the user name or the password');
  return new ExportFailure(`answered: ${quoted(error.message)}`, error.code < 500);
}
