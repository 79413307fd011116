import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { type AllowList, isPublicAddress, literalAddress } from './addresses.js';
import { undici } from './undici.js';

/** Resolves a name to all its addresses. */
export type ResolveName = (hostname: string) => Promise<string[]>;

/** The connection was refused because of its address. */
export class RefusedConnectionError extends Error {}

/** Maximum number of addresses tried. */
const maxAttempts = 4;

/** Resolves through the system resolver. */
export const resolveByDns: ResolveName = async (hostname) => {
  const records = await lookup(hostname, { all: true, order: 'ipv4first' });
  return records.map((record) => record.address);
};

/**
 * A connector for undici that only connects to allowed addresses. It resolves the name, checks all its addresses and connects to
 * one of them instead of the name, so that a later change of DNS records has no effect; it also checks the peer of the socket.
 */
export function createConnector(allowed: AllowList, resolve: ResolveName, timeoutMs: number): buildConnector.connector {
  let connect: buildConnector.connector | undefined;
  return (options, callback) => {
    connect ??= undici().buildConnector({ timeout: timeoutMs, allowH2: false });
    connectChecked(options, { allowed, resolve, connect }).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

interface ConnectParts {
  allowed: AllowList;
  resolve: ResolveName;
  connect: buildConnector.connector;
}

interface CheckedAddresses {
  addresses: string[];
  isAllowed: (address: string) => boolean;
}

/** Resolves a host. Throws RefusedConnectionError when any of its addresses is not allowed. */
export async function resolveChecked(
  hostname: string,
  port: string,
  { allowed, resolve }: Pick<ConnectParts, 'allowed' | 'resolve'>,
): Promise<CheckedAddresses> {
  const literal = literalAddress(hostname);
  const addresses = literal === undefined ? await resolve(hostname) : [literal];
  const hostAllowed = allowed.allowsHost(hostname, port);
  const isAllowed = (address: string): boolean => hostAllowed || isPublicAddress(address) || allowed.allowsAddress(address, port);
  // A name with public and private addresses is an attack or a mistake.
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw new RefusedConnectionError('does not lead to a public address');
  return { addresses, isAllowed };
}

async function connectChecked(options: buildConnector.Options, parts: ConnectParts): Promise<Socket> {
  const port = options.port || (options.protocol === 'https:' ? '443' : '80');
  const { addresses, isAllowed } = await resolveChecked(options.hostname, port, parts);
  const socket = await connectFirst(addresses.slice(0, maxAttempts), options, parts.connect);
  if (socket.remoteAddress === undefined || !isAllowed(socket.remoteAddress)) {
    socket.destroy();
    throw new RefusedConnectionError('does not lead to a public address');
  }
  return socket;
}

async function connectFirst(addresses: readonly string[], options: buildConnector.Options, connect: buildConnector.connector): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await connectAddress(address, options, connect);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connectAddress(address: string, options: buildConnector.Options, connect: buildConnector.connector): Promise<Socket> {
  // The certificate must match the name although the connection is made to the address.
  const servername = literalAddress(options.hostname) === undefined ? options.hostname : '';
  return new Promise((resolve, reject) => {
    connect({ ...options, hostname: address, host: address, servername }, (...[error, socket]) => (error === null ? resolve(socket as Socket) : reject(error)));
  });
}
