import type { JobFailure } from './job.js';
import type { Purchase } from './purchase.js';
import type { FromWorker, WorkerJob } from './worker-protocol.js';

/** Work assigned to a worker slot. It ends exactly once, by `complete` or one of the methods after it. */
export interface SlotTask {
  readonly job: { jobId: string; accountId: string };
  /** Owner id of the lease. */
  readonly leaseOwner: string;
  readonly hasEnded: boolean;
  /** Stages the inputs and returns the job for the render process. Undefined: nothing is left to do and the task has ended. */
  prepareJob(): WorkerJob | Promise<WorkerJob | undefined>;
  /** Records progress or a heartbeat. Throws LeaseLostError. */
  updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void>;
  /** Reserves credits for the render and for purchases. Returns whether the task may buy; if not, the job has failed. */
  reserve(credits: number, purchases: readonly Purchase[]): Promise<boolean>;
  /** Records a purchase for the job. */
  recordPurchase(purchase: Purchase): Promise<void>;
  /** Settles the planned price. Returns whether the render may continue; if not, the job has failed. */
  settle(credits: number): Promise<boolean>;
  /** Ends the task because the render process has completed it: stores the result. */
  complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void>;
  /** Ends the task because the job cannot succeed. `encoder`: the hardware encoder that failed, if any. */
  fail(failure: JobFailure, encoder?: Extract<FromWorker, { type: 'failed' }>['encoder']): Promise<void>;
  /** Ends the task because the render process or its engine died; counts as an attempt. */
  interrupt(reason?: string): Promise<void>;
  /** Requeues the task because the render process died before its first message about it; does not count as an attempt. */
  requeue(): Promise<void>;
  /** Requeues the task for a reason outside the task, such as a shutdown of the service; does not count as an attempt. */
  release(): Promise<void>;
  /** Makes writes that wait for the database reject, because the service stops. */
  stopRetrying(): void;
  /** Ends the task without updating any state, because the lease is lost or the state cannot be written. */
  discard(): Promise<void>;
}
