import { isIPv6 } from 'node:net';
import { type AllowList, isPublicAddress, literalAddress } from './addresses.js';

/**
 * Why a URL may not be fetched, as far as its text tells, or undefined. Names are checked again when they
 * are resolved. The URL parser has already turned decimal, hexadecimal and octal hosts into plain addresses.
 */
export function refusalOf(text: string, allowed: AllowList): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'it must be an http or https URL';
  const port = portOf(url);
  if (allowed.allowsHost(url.hostname, port)) return undefined;
  const address = literalAddress(url.hostname);
  if (address !== undefined) return isPublicAddress(address) || allowed.allowsAddress(address, port) ? undefined : notPublic(address);
  const name = url.hostname.replace(/\.$/, '');
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  return isLocal && !allowed.allowsAddress('127.0.0.1', port) ? notPublic(name) : undefined;
}

/** Why a host may not be connected to, as far as its text tells, or undefined. */
export function hostRefusalOf(host: string, port: number, allowed: AllowList): string | undefined {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`;
  const isBare = URL.canParse(url) && /^[^\s/?#@\\]+$/.test(host);
  return isBare ? refusalOf(url, allowed) : 'it must be a host name or an IP address';
}

export function portOf(url: URL): string {
  return url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
}

function notPublic(host: string): string {
  return `${host} is not a public address`;
}

/** A URL for messages: no credentials, and no query, which often carries a signature. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return 'the URL';
  const url = new URL(text);
  const shown = `${url.protocol}//${url.host}${url.pathname}`;
  return shown.length > 200 ? `${shown.slice(0, 197)}...` : shown;
}

/** A source for messages: the path of a file as it is written, and what may be shown of a URL. */
export function shownSource(text: string): string {
  return URL.canParse(text) ? shownUrl(text) : text.slice(0, 200);
}
