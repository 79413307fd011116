import type { LockedEntry } from '../queue/locked-entry.js';

/** Renews the lock of a queue entry until it is stopped. */
export class LockKeeper {
  readonly #entry: LockedEntry<unknown>;
  readonly #timer: NodeJS.Timeout;
  #lost = false;

  constructor(entry: LockedEntry<unknown>, everyMs: number) {
    this.#entry = entry;
    this.#timer = setInterval(() => void this.#renew(), everyMs);
  }

  /** Whether another host may own the entry. */
  get lost(): boolean {
    return this.#lost;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    // While Redis is unreachable no other host can claim it either.
    const isOwned = await this.#entry.extend().catch(() => true);
    if (isOwned) return;
    this.#lost = true;
    this.stop();
  }
}
