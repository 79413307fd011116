import { randomUUID } from 'node:crypto';
import { isRunning, pidScope } from '../engine/child-processes/index.js';

const separator = '|';

/** Identifies this run of this process in leases and recognises owners that are certainly dead; all others are judged by expiry. */
export class LeaseOwner {
  readonly #scope: string;
  readonly #run: string;
  readonly #pid: number;
  readonly #released = new Set<string>();

  /** `scope`: where the process id is unique; see `pidScope`. */
  constructor(scope: string = pidScope, pid: number = process.pid) {
    this.#scope = scope;
    this.#pid = pid;
    this.#run = randomUUID();
  }

  /** Creates an owner id for one claim, so that an earlier attempt of this process cannot write to a later one. */
  createId(): string {
    return [this.#scope, this.#pid, this.#run, randomUUID()].join(separator);
  }

  /** Marks a claim of this process as dead although the database could not be updated. */
  markReleased(owner: string): void {
    this.#released.add(owner);
  }

  /** Whether the owner is known to be dead: its lease need not expire first. */
  isGone(owner: string): boolean {
    const [scope, pidText, run] = owner.split(separator);
    if (this.#released.has(owner)) return true;
    if (scope !== this.#scope || run === this.#run) return false;
    const pid = Number(pidText);
    return pid === this.#pid || !isRunning(pid);
  }
}
