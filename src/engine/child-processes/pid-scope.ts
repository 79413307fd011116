import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Scope in which a process id is unique: the machine's boot id and the pid namespace. Containers that share a host name have
 * different scopes. Random when the system provides neither, so pids of other scopes are never compared.
 */
export const pidScope = readScope();

function readScope(): string {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
    return namespace === undefined ? randomUUID() : `${bootId}/${namespace}`;
  } catch {
    return randomUUID();
  }
}
