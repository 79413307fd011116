export { Attempt, type AttemptParts, type OutputPlace, publishState } from './attempt.js';
export type { OnceOnly } from './idempotency-store.js';
export type { FailureCode, Job, JobFailure, JobStatus } from './job.js';
export { jobStatuses } from './job.js';
export type { JobCompanion, SubmittedJob } from './job-companion.js';
export type { JobEvent, JobListener, JobRelay } from './job-events.js';
export { JobEvents } from './job-events.js';
export { type ClaimedJob, JobLeaseStore, LeaseLostError } from './job-lease-store.js';
export type { CreditsEntry, JobRecord, JobRecordQuery } from './job-record-store.js';
export { JobRecordStore } from './job-record-store.js';
export type { AcceptedJob, Submission } from './job-store.js';
export { JobStore } from './job-store.js';
export { LeaseOwner } from './lease-owner.js';
export type { ExpiredOutput, OutputRecord } from './output-record-store.js';
export { OutputRecordStore } from './output-record-store.js';
export type { SlotWork } from './slot-work.js';
export { type OpenMovie, SpreadStore } from './spread-store.js';
export type { WorkLoopParts } from './work-loop.js';
export { WorkLoop } from './work-loop.js';
export type { PoolTiming, WorkerPoolParts, WorkSource } from './worker-pool.js';
export { leaseMsFor, nameOutput, poolTiming, WorkerPool } from './worker-pool.js';
export type {
  FromWorker,
  HostAbility,
  LayoutPart,
  LostEncoder,
  MovieLayout,
  Observation,
  StagedPart,
  StagedStitch,
  ToWorker,
  WorkerJob,
} from './worker-protocol.js';
export type { Log } from './worker-slot.js';
