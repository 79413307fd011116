import type { Clock } from '../accounts/index.js';
import type { AttemptParts, JobEvents, JobLeaseStore, Log, Observation, OutputPlace, SpreadStore } from '../jobs/index.js';
import type { Bundles } from './bundle.js';
import type { FarmQueue } from './farm-queue.js';

/** What all work of a farm stands on. */
export interface FarmContext {
  queue: FarmQueue;
  bundles: Bundles;
  leases: JobLeaseStore;
  spread: SpreadStore;
  events: JobEvents;
  outputs: OutputPlace;
  /** Of this host's work in hand. */
  workDir: string;
  clock: Clock;
  timing: AttemptParts['timing'];
  log: Log;
  onObservation?: (observation: Observation) => void;
}

/** From here to `end` the parts of a movie make its progress. */
export const partsProgress = { from: 0.05, end: 0.97 } as const;
/** A movie that takes so many hosts along ends some day. */
export const maxLosses = 20;
