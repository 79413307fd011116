export { Attempt, type AttemptOptions, type OutputStore, publishState } from './attempt.js';
export type { FailureCode, Job, JobFailure, JobStatus } from './job.js';
export { jobStatuses } from './job.js';
export type { JobEvent, JobListener, JobRelay, JobRelayReceiver } from './job-events.js';
export { JobEvents } from './job-events.js';
export { JobNotifications } from './job-notifications.js';
export type { JobTransactionHook, QueuedJob, SubmittedJob } from './job-transaction-hook.js';
export { LeaseOwner } from './lease-owner.js';
export { PollLoop } from './poll-loop.js';
export type { ProviderLimits, Purchase } from './purchase.js';
export { retryWhileUnavailable } from './retry-while-unavailable.js';
export type { SlotTask } from './slot-task.js';
export { DistributedJobStore, type OpenJob } from './stores/distributed-job-store.js';
export type { IdempotencyKey } from './stores/idempotency-store.js';
export { type ClaimedJob, JobLeaseStore, LeaseLostError } from './stores/job-lease-store.js';
export type { CreditsEntry, JobRecord, PurchaseRecord } from './stores/job-record-store.js';
export { JobRecordStore } from './stores/job-record-store.js';
export { JobStore } from './stores/job-store.js';
export type { OutputRecord } from './stores/output-record-store.js';
export { OutputRecordStore } from './stores/output-record-store.js';
export type { AcceptedJob, Submission } from './stores/submission-store.js';
export { viewOutput } from './view-output.js';
export type { PoolTiming, TaskSource } from './worker-pool.js';
export { createOutputName, leaseDurationMs, poolTiming, WorkerPool } from './worker-pool.js';
export type {
  EncoderFailure,
  FromWorker,
  HostCapabilities,
  Observation,
  PlannedFinish,
  PlannedSegment,
  RenderPlan,
  StagedSegment,
  StagedStitch,
  ToWorker,
  WorkerJob,
} from './worker-protocol.js';
export type { Log } from './worker-slot.js';
