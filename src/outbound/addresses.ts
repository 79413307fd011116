import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Special addresses in public ranges: Azure's WireServer. */
const deniedAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The only IPv6 range that is routed on the internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** True for an IP address of the public internet; false for all private and special-purpose ranges. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(withoutZone(address));
  if (parsed instanceof ipaddr.IPv4) return isPublic4(parsed);
  if (parsed.range() !== 'unicast' || !parsed.match(globalUnicast)) return false;
  const embedded = isatapAddress(parsed);
  return embedded === undefined || isPublic4(embedded);
}

function isPublic4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !deniedAddresses.has(address.toString());
}

/** The IPv4 address in an ISATAP interface identifier (RFC 5214). */
function isatapAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const marked = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return marked ? new ipaddr.IPv4(bytes.slice(12)) : undefined;
}

/** The IP address in the host of a URL, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

interface AllowedHost {
  host: string;
  /** Undefined for every port. */
  port: string | undefined;
}

/** Private hosts that the operator allows, as host, host:port or CIDR. */
export class AllowList {
  readonly #hosts: AllowedHost[] = [];
  readonly #networks: Array<[ipaddr.IPv4 | ipaddr.IPv6, number]> = [];

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      if (entry.includes('/')) this.#networks.push(ipaddr.parseCIDR(entry));
      else this.#hosts.push(parseHost(entry.toLowerCase()));
    }
  }

  /** `hostname` is a name or an IP address as in a URL. */
  allowsHost(hostname: string, port: string): boolean {
    const host = canonicalHost(hostname);
    return this.#hosts.some((entry) => entry.host === host && (entry.port === undefined || entry.port === port));
  }

  allowsAddress(address: string, port: string): boolean {
    if (this.allowsHost(address, port)) return true;
    const parsed = ipaddr.process(withoutZone(address));
    return this.#networks.some((network) => network[0].kind() === parsed.kind() && parsed.match(network));
  }
}

function parseHost(entry: string): AllowedHost {
  if (ipaddr.isValid(entry)) return { host: canonicalHost(entry), port: undefined };
  const [, host = entry, port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  return { host: canonicalHost(host), port };
}

/** Normalizes a host: addresses in their shortest form, names in lower case without a trailing dot. */
function canonicalHost(hostname: string): string {
  const address = literalAddress(hostname);
  return address === undefined ? hostname.toLowerCase().replace(/\.$/, '') : ipaddr.process(withoutZone(address)).toString();
}
