import type { JobFailure } from './job.js';
import type { Purchase } from './purchase.js';
import type { FromWorker, WorkerJob } from './worker-protocol.js';

/** Work assigned to a worker slot. It ends exactly once, by `complete` or one of the methods after it. */
export interface SlotTask {
  readonly job: { jobId: string; accountId: string };
  /** Owner id of the lease. */
  readonly leaseOwner: string;
  readonly hasEnded: boolean;
  /** Stages the inputs and returns the job message. Undefined: nothing is left to do and the task has ended. */
  prepareJob(): WorkerJob | Promise<WorkerJob | undefined>;
  /** Records progress or a heartbeat. Throws LeaseLostError. */
  updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void>;
  /** Reserves credits for the render and for purchases. Returns whether the task may buy; if not, the job has failed. */
  reserve(credits: number, purchases: readonly Purchase[]): Promise<boolean>;
  /** Records what was bought for the job. */
  recordPurchase(purchase: Purchase): Promise<void>;
  /** Settles the planned price. Returns whether the render may continue; if not, the job has failed. */
  settle(credits: number): Promise<boolean>;
  /** The render process finished. */
  complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void>;
  /** The job cannot succeed. */
  fail(failure: JobFailure, encoder?: Extract<FromWorker, { type: 'failed' }>['encoder']): Promise<void>;
  /** The render process or its engine died; counts as an attempt. */
  interrupt(reason?: string): Promise<void>;
  /** The render process died before its first message on the task; does not count as an attempt. */
  requeue(): Promise<void>;
  /** Puts the task back into the queue at the service's own wish; does not count as an attempt. */
  release(): Promise<void>;
  /** Makes writes that wait for the database fail, because the service stops. */
  stopRetrying(): void;
  /** Ends the task without updating any state, because the lease is lost or the state cannot be written. */
  discard(): Promise<void>;
}
