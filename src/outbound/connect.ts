import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { type AllowList, isPublicAddress, literalAddress } from './addresses.js';
import { undici } from './undici.js';

/** All addresses of a name. */
export type ResolveName = (hostname: string) => Promise<string[]>;

/** The connection was not made, or not used, because of where it leads. */
export class RefusedConnection extends Error {}

const MAX_TRIES = 4;

export const resolveByDns: ResolveName = async (hostname) => {
  const records = await lookup(hostname, { all: true, order: 'ipv4first' });
  return records.map((record) => record.address);
};

/**
 * Dials only addresses that were checked: the literal, or everything a name resolves to, at the moment of
 * dialling. A later change of the name's records cannot lead elsewhere, because the address is dialled and
 * not the name, and the socket's peer is compared once more.
 */
export function createConnector(allowed: AllowList, resolve: ResolveName, timeoutMs: number): buildConnector.connector {
  let dial: buildConnector.connector | undefined;
  return (options, callback) => {
    dial ??= undici().buildConnector({ timeout: timeoutMs, allowH2: false });
    connectChecked(options, { allowed, resolve, dial }).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

interface Dialling {
  allowed: AllowList;
  resolve: ResolveName;
  dial: buildConnector.connector;
}

interface Checked {
  addresses: string[];
  mayDial: (address: string) => boolean;
}

/** All addresses that a host has at this moment; throws RefusedConnection when one of them may not be reached. */
export async function resolveChecked(hostname: string, port: string, { allowed, resolve }: Pick<Dialling, 'allowed' | 'resolve'>): Promise<Checked> {
  const literal = literalAddress(hostname);
  const addresses = literal === undefined ? await resolve(hostname) : [literal];
  const hostAllowed = allowed.allowsHost(hostname, port);
  const mayDial = (address: string): boolean => hostAllowed || isPublicAddress(address) || allowed.allowsAddress(address, port);
  // One private address among public ones is an attack or a mistake; neither gets a connection.
  if (addresses.length === 0 || !addresses.every(mayDial)) throw new RefusedConnection('does not lead to a public address');
  return { addresses, mayDial };
}

async function connectChecked(options: buildConnector.Options, dialling: Dialling): Promise<Socket> {
  const port = options.port || (options.protocol === 'https:' ? '443' : '80');
  const { addresses, mayDial } = await resolveChecked(options.hostname, port, dialling);
  const socket = await dialFirst(addresses.slice(0, MAX_TRIES), options, dialling.dial);
  if (socket.remoteAddress === undefined || !mayDial(socket.remoteAddress)) {
    socket.destroy();
    throw new RefusedConnection('does not lead to a public address');
  }
  return socket;
}

async function dialFirst(addresses: readonly string[], options: buildConnector.Options, dial: buildConnector.connector): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await dialAddress(address, options, dial);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function dialAddress(address: string, options: buildConnector.Options, dial: buildConnector.connector): Promise<Socket> {
  // The certificate must be for the name, although the address is dialled.
  const servername = literalAddress(options.hostname) === undefined ? options.hostname : '';
  return new Promise((resolve, reject) => {
    dial({ ...options, hostname: address, host: address, servername }, (...[error, socket]) => (error === null ? resolve(socket as Socket) : reject(error)));
  });
}
