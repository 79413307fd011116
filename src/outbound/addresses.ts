import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by its range, but answers only inside one cloud: Azure's WireServer. */
const deniedAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/** All of IPv6 that is routed on the internet today. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address belongs to the public internet. Everything that is special in any way does not. */
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

/** The IPv4 address that an ISATAP interface identifier carries (RFC 5214), in any prefix. */
function isatapAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const marked = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return marked ? new ipaddr.IPv4(bytes.slice(12)) : undefined;
}

/** The IP address that a URL's host names literally, or undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

interface AllowedHost {
  host: string;
  /** Undefined: every port. */
  port: string | undefined;
}

/** What the operator lets through although it is not public: host, host:port or CIDR. */
export class AllowList {
  readonly #hosts: AllowedHost[] = [];
  readonly #networks: Array<[ipaddr.IPv4 | ipaddr.IPv6, number]> = [];

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      if (entry.includes('/')) this.#networks.push(ipaddr.parseCIDR(entry));
      else this.#hosts.push(parseHost(entry.toLowerCase()));
    }
  }

  /** A host as a URL spells it: a name, or a literal address. */
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

/** One spelling of a host: addresses shortest, names without the root's dot. */
function canonicalHost(hostname: string): string {
  const address = literalAddress(hostname);
  return address === undefined ? hostname.toLowerCase().replace(/\.$/, '') : ipaddr.process(withoutZone(address)).toString();
}
