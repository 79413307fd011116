import { isIPv6 } from 'node:net';
import { type AllowList, isPublicAddress, literalAddress } from './addresses.js';

/**
 * Checks a URL without resolving its name. Returns the reason for a refusal, or undefined. The URL parser converts decimal,
 * hexadecimal and octal hosts to plain addresses.
 */
export function rejectionReason(text: string, allowed: AllowList): string | undefined {
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

/** As rejectionReason, for a host and port. */
export function hostRejectionReason(host: string, port: number, allowed: AllowList): string | undefined {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`;
  const isBare = URL.canParse(url) && /^[^\s/?#@\\]+$/.test(host);
  return isBare ? rejectionReason(url, allowed) : 'it must be a host name or an IP address';
}

/** Port of a URL, or the default port of its scheme. */
export function portOf(url: URL): string {
  return url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
}

function notPublic(host: string): string {
  return `${host} is not a public address`;
}

/** A URL for messages: without credentials and query, which may contain secrets. */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return 'the URL';
  const url = new URL(text);
  const shown = `${url.protocol}//${url.host}${url.pathname}`;
  return shown.length > 200 ? `${shown.slice(0, 197)}...` : shown;
}

/** A source for messages: a file path as written, or a redacted URL. */
export function redactSource(text: string): string {
  return URL.canParse(text) ? redactUrl(text) : text.slice(0, 200);
}
