import type { JobFailure } from './job.js';
import type { FromWorker, WorkerJob } from './worker-protocol.js';

/** What a render process may have in hand. It ends exactly once, by one of the last six. */
export interface SlotTask {
  readonly job: { jobId: string; accountId: string };
  /** Of the lease. */
  readonly leaseOwner: string;
  readonly hasEnded: boolean;
  /** When its process last spoke, on the monotonic clock. */
  lastMessageAt: number;
  /** What the render process is told, when all of it is here. undefined: there is nothing left to be done, and it has ended. */
  prepareJob(): WorkerJob | Promise<WorkerJob | undefined>;
  updateProgress(message: Extract<FromWorker, { type: 'progress' | 'alive' }>): Promise<void>;
  /** True: go on rendering. False: the job has failed, stop. */
  settle(credits: number): Promise<boolean>;
  complete(message: Extract<FromWorker, { type: 'completed' }>): Promise<void>;
  fail(failure: JobFailure, encoder?: Extract<FromWorker, { type: 'failed' }>['encoder']): Promise<void>;
  /** The render process died, or its engine did for the reason given. */
  interrupt(reason?: string): Promise<void>;
  /** The render process died before it said a word about it: that is not the work's doing. */
  requeue(): Promise<void>;
  /** We stop it ourselves; someone takes it up later. */
  release(): Promise<void>;
  /** Without a word to anyone, as nobody can be told or someone else has it. */
  discard(): Promise<void>;
}
