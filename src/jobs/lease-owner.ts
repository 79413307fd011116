import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning } from '../engine/child-processes/index.js';

const separator = '|';

/** Identifies this run of this process in leases, by host, pid and a random id, and recognises owners that are dead. */
export class LeaseOwner {
  readonly #host: string;
  readonly #run: string;
  readonly #pid: number;
  readonly #released = new Set<string>();

  constructor(host: string = hostname(), pid: number = process.pid) {
    this.#host = host.replaceAll(separator, '_');
    this.#pid = pid;
    this.#run = randomUUID();
  }

  /** Creates an owner id for one claim, so that an earlier attempt of this process cannot write to a later one. */
  createId(): string {
    return [this.#host, this.#pid, this.#run, randomUUID()].join(separator);
  }

  /** Marks a claim of this process as dead although the database could not be updated. */
  markReleased(owner: string): void {
    this.#released.add(owner);
  }

  /** Whether the owner is known to be dead: its lease need not expire first. */
  isGone(owner: string): boolean {
    const [host, pidText, run] = owner.split(separator);
    if (this.#released.has(owner)) return true;
    if (host !== this.#host || run === this.#run) return false;
    const pid = Number(pidText);
    return pid === this.#pid || !isRunning(pid);
  }
}
