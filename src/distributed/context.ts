import type { Clock } from '../accounts/index.js';
import type { AttemptOptions, DistributedJobStore, JobEvents, JobLeaseStore, Log, Observation, OutputStore } from '../jobs/index.js';
import type { BundleStore } from './bundle-store.js';
import type { TaskQueue } from './queue/task-queue.js';

/** Dependencies of all tasks of a render farm. */
export interface FarmContext {
  queue: TaskQueue;
  bundles: BundleStore;
  leases: JobLeaseStore;
  jobs: DistributedJobStore;
  events: JobEvents;
  outputs: OutputStore;
  /** Folder for temporary files of this host's tasks. */
  workDir: string;
  /** The database's clock. */
  clock: Clock;
  /** Lifetime of a job's lease without renewal. */
  leaseMs: number;
  timing: AttemptOptions['timing'];
  log: Log;
  onObservation?: (observation: Observation) => void;
}

/** Range of a movie's progress that its segments cover. */
export const segmentProgress = { from: 0.05, end: 0.97 } as const;
/** Maximum lost hosts per task; bounds a movie that crashes its hosts. */
export const maxHostLosses = 20;
