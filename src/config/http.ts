import { isIP } from 'node:net';
import { ConfigError, type Environment } from './environment.js';
import { isNetwork } from './outbound.js';

/** Listening address of the service and of worker metrics. */
export interface HttpConfig {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Address under which clients reach the service, without a slash at the end; undefined: derived from host and actual port. */
  publicUrl: string | undefined;
  /** Port for metrics and health of a worker, which has no API; 0: any free port, undefined: none. */
  metricsPort: number | undefined;
  /** Bearer token of `GET /metrics` on the API port; undefined: only callers on this machine get an answer there. */
  metricsToken: string | undefined;
  /** Addresses and networks of reverse proxies whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[];
}

const ports = { min: 0, max: 65535 };

export function parseHttpConfig(environment: Environment): HttpConfig {
  const metrics = environment.text('FRAMEWRIGHT_METRICS_PORT');
  return Object.freeze({
    host: parseHost(environment),
    port: environment.integer('PORT', 8080, ports),
    publicUrl: parsePublicUrl(environment.text('FRAMEWRIGHT_PUBLIC_URL')),
    metricsToken: environment.text('FRAMEWRIGHT_METRICS_TOKEN'),
    trustedProxies: parseTrustedProxies(environment),
    metricsPort: metrics === undefined ? undefined : environment.integer('FRAMEWRIGHT_METRICS_PORT', 0, ports),
  });
}

function parseTrustedProxies(environment: Environment): readonly string[] {
  const proxies = environment.list('FRAMEWRIGHT_TRUSTED_PROXIES').map((item) => item.toLowerCase());
  for (const proxy of proxies) {
    if (isIP(proxy) === 0 && !isNetwork(proxy)) {
      throw new ConfigError('FRAMEWRIGHT_TRUSTED_PROXIES', `"${proxy}" is not an IP address or CIDR network (comma-separated)`);
    }
  }
  return Object.freeze(proxies);
}

function parseHost(environment: Environment): string {
  const host = environment.text('HOST') ?? '127.0.0.1';
  if (isIP(host) === 0 && !/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(host)) {
    throw new ConfigError('HOST', `"${host}" is not an IP address or a host name (set the port in PORT)`);
  }
  return host;
}

function parsePublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError('FRAMEWRIGHT_PUBLIC_URL', `"${text}" is not an http:// or https:// address`);
  }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new ConfigError('FRAMEWRIGHT_PUBLIC_URL', `"${text}" is not a plain http:// or https:// address (no user, query or fragment)`);
  }
  return url.href.replace(/\/+$/, '');
}
