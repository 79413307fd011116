import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning } from '../engine/child-processes/index.js';

/** This run of this process, as written into leases: host, pid and a random part. */
const separator = '|';

export class LeaseOwner {
  readonly #host: string;
  readonly #run: string;
  readonly #pid: number;
  readonly #givenUp = new Set<string>();

  constructor(host: string = hostname(), pid: number = process.pid) {
    this.#host = host.replaceAll(separator, '_');
    this.#pid = pid;
    this.#run = randomUUID();
  }

  /** A new name for each claim, so that an earlier attempt of this very process has no say in a later one. */
  createId(): string {
    return [this.#host, this.#pid, this.#run, randomUUID()].join(separator);
  }

  /** A claim of this run that nobody works on any more, although the database could not be told. */
  markReleased(owner: string): void {
    this.#givenUp.add(owner);
  }

  /** True for claims of a process of this host that no longer runs: their leases need not run out first. */
  isGone(owner: string): boolean {
    const [host, pidText, run] = owner.split(separator);
    if (this.#givenUp.has(owner)) return true;
    if (host !== this.#host || run === this.#run) return false;
    const pid = Number(pidText);
    return pid === this.#pid || !isRunning(pid);
  }
}
