import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * The scope in which process ids of this process mean something: the boot of the machine and the pid namespace. Containers that
 * share a host name differ in it. Where the system does not tell, it is random, so that no process of another scope is judged.
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
