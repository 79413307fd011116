import { createReadStream } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, TLSSocket, connect as tlsConnect } from 'node:tls';
import { Client, FTPError } from 'basic-ftp';
import { failureText } from '../../../outbound/index.js';
import type { DeliveryContext } from '../delivery.js';
import { ExportFailure, permanent, sanitizeText, transient } from '../export-failure.js';
import type { FtpTarget } from '../target.js';
import { locationOf, type RemoteName, remoteName } from './remote-name.js';

/** Uploads a file over FTP or FTPS under a temporary name and renames it; returns its URL. */
export async function deliverFtp(target: FtpTarget, { file, options, idleMs, signal }: DeliveryContext): Promise<string> {
  // Data connections use the control connection's address, which was checked when it was opened.
  const client = new Client(idleMs, { allowSeparateTransferHost: false });
  signal.addEventListener('abort', () => client.close(), { once: true });
  const name = remoteName(target, file);
  try {
    await logIn(client, target, await options.outbound.connect(target.host, target.port, { signal }));
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
  const tls = tlsOptions(target);
  const socket = target.secure === 'implicit' ? await upgradeToTls(plain, tls) : plain;
  client.ftp.reset();
  client.ftp.socket = socket;
  if (target.secure === 'implicit') client.ftp.tlsOptions = tls;
  await readGreeting(client);
  if (target.secure === 'explicit') await client.useTLS(tls);
  if (target.certificateFingerprint !== undefined) pinCertificate(client, target.certificateFingerprint);
  await client.login(target.username, target.password);
  await client.useDefaultSettings();
}

function tlsOptions({ host, certificateFingerprint }: FtpTarget): ConnectionOptions {
  return { host, ...(isIP(host) === 0 ? { servername: host } : {}), ...(certificateFingerprint === undefined ? {} : { rejectUnauthorized: false }) };
}

function upgradeToTls(socket: Socket, options: ConnectionOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tls = tlsConnect({ ...options, socket }, () => resolve(tls));
    tls.once('error', reject);
  });
}

/** Waits for the server's greeting: the client library only does so on connections that it opens itself. */
function readGreeting(client: Client): Promise<unknown> {
  return client.ftp.handle(undefined, (response, task) => {
    if (response instanceof Error) task.reject(response);
    else if (response.code === 220) task.resolve(response);
    else task.reject(new FTPError(response));
  });
}

/** Compares the certificate's fingerprint on the control connection and on each data connection. */
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
  return permanent('presented a certificate that does not match certificate_fingerprint');
}

async function upload(client: Client, file: { path: string; sizeBytes: number }, { name, temporaryName }: RemoteName): Promise<void> {
  try {
    await client.uploadFrom(createReadStream(file.path), temporaryName);
    await checkSize(client, temporaryName, file.sizeBytes);
    await rename(client, temporaryName, name);
  } catch (error) {
    // If the connection itself failed, the partial file cannot be removed.
    if (!client.closed) await client.remove(temporaryName, true).catch(() => {});
    throw error;
  }
}

async function checkSize(client: Client, name: string, sizeBytes: number): Promise<void> {
  let stored: number;
  try {
    stored = await client.size(name);
  } catch (error) {
    // Not every server supports SIZE.
    if (error instanceof FTPError) return;
    throw error;
  }
  if (stored !== sizeBytes) throw transient(`stored ${stored} bytes of ${sizeBytes}`);
}

/** Removes an existing file first on servers that do not rename over it. */
async function rename(client: Client, from: string, to: string): Promise<void> {
  try {
    await client.rename(from, to);
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    await client.remove(to, true);
    await client.rename(from, to);
  }
}

function hasNoErrorCode(error: unknown): boolean {
  return !(error instanceof ExportFailure) && failureText(error) === undefined;
}

function toFailure(error: unknown): unknown {
  // The client's own errors, including timeouts, carry no code.
  if (!(error instanceof FTPError)) return hasNoErrorCode(error) ? transient('broke off the connection or did not answer in time') : error;
  if (error.code === 530) return permanent('refused the user name or the password');
  return new ExportFailure(`answered: ${sanitizeText(error.message)}`, error.code < 500);
}
