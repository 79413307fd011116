import type { ClaimedRow, ClaimKey } from './task-store.js';

/** A claim of this host on a task. It ends when the task is released or completed, or when its lease expires because it is not renewed. */
export class ClaimedTask {
  readonly row: ClaimedRow;
  readonly key: ClaimKey;
  readonly #release: (claim: string) => void;
  #isLost = false;

  /** `release` is called once the claim is to be renewed no longer. */
  constructor(row: ClaimedRow, claim: string, release: (claim: string) => void) {
    this.row = row;
    this.key = { id: row.id, jobId: row.jobId, claim };
    this.#release = release;
  }

  /** Whether another host may have the task. */
  get isLost(): boolean {
    return this.#isLost;
  }

  markLost(): void {
    this.#isLost = true;
    this.stopRenewing();
  }

  /** Without renewals other hosts get the task when the lease expires. */
  stopRenewing(): void {
    this.#release(this.key.claim);
  }
}
