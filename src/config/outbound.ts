import ipaddr from 'ipaddr.js';
import { ConfigError, type Environment } from './environment.js';

export interface OutboundConfig {
  /** host, host:port or CIDR, lower case, as the operator wrote them. */
  allowPrivateHosts: readonly string[];
}

export function parseOutboundConfig(environment: Environment): OutboundConfig {
  const hosts = environment.list('FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS').map((item) => item.toLowerCase());
  for (const host of hosts) {
    if (!isHost(host)) {
      throw new ConfigError('FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS', `"${host}" is not a host, host:port or CIDR (comma-separated, no scheme, no path)`);
    }
  }
  return Object.freeze({ allowPrivateHosts: Object.freeze(hosts) });
}

function isHost(item: string): boolean {
  if (item.includes('/')) return ipaddr.isValidCIDR(item);
  if (ipaddr.isValid(item)) return true;
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(?::(\d{1,5}))?$/.exec(item);
  if (parts === null) return false;
  const [, host = '', , port] = parts;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65535)) return false;
  return !host.startsWith('[') || ipaddr.IPv6.isValid(host.slice(1, -1));
}
