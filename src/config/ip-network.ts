import { isIP } from 'node:net';

/** Whether the text is a network in CIDR notation. Uses Node's address parser, because loading ipaddr.js takes longer than the rest of the configuration. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([0-9a-f:.]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
