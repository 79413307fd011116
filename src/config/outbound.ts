import { isIP, isIPv6 } from 'node:net';
import { ConfigError, type Environment } from './environment.js';

/** Exceptions from the ban on private networks. */
export interface OutboundConfig {
  /** Items of the form host, host:port or CIDR, in lower case. */
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
  if (item.includes('/')) return isNetwork(item);
  if (isIP(item) !== 0) return true;
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(?::(\d{1,5}))?$/.exec(item);
  if (parts === null) return false;
  const [, host = '', , port] = parts;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65535)) return false;
  return !host.startsWith('[') || isIPv6(host.slice(1, -1));
}

/** Whether the text is a network in CIDR notation. Uses Node's address parser, because loading ipaddr.js takes longer than the rest of the configuration. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([0-9a-f:.]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
