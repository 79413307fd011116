import type { Clock } from '../accounts/index.js';
import type { AttemptOptions, DistributedJobStore, JobEvents, JobLeaseStore, Log, Observation, OutputStore } from '../jobs/index.js';
import type { BundleStore } from './bundle-store.js';
import type { RenderQueue } from './queue/render-queue.js';

/** What all work of a farm stands on. */
export interface FarmContext {
  queue: RenderQueue;
  bundles: BundleStore;
  leases: JobLeaseStore;
  jobs: DistributedJobStore;
  events: JobEvents;
  outputs: OutputStore;
  /** Of this host's work in hand. */
  workDir: string;
  clock: Clock;
  timing: AttemptOptions['timing'];
  log: Log;
  onObservation?: (observation: Observation) => void;
}

/** From here to `end` the parts of a movie make its progress. */
export const segmentProgress = { from: 0.05, end: 0.97 } as const;
/** A movie that takes so many hosts along ends some day. */
export const maxHostLosses = 20;
