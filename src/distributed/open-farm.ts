import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../accounts/index.js';
import type { Config } from '../config/index.js';
import type { Database, Kysely } from '../db/index.js';
import { type JobEvents, type JobLeaseStore, type Log, leaseMsFor, type Observation, type OutputPlace, type PoolTiming, SpreadStore } from '../jobs/index.js';
import { createFileCache } from '../storage/cache/index.js';
import { createShelf } from '../storage/index.js';
import { Bundles } from './bundle.js';
import { Farm } from './farm.js';
import { FarmQueue } from './farm-queue.js';
import { type FarmHost, HostRegistry } from './host-registry.js';

/** For a server to answer at all. */
const waitMs = 5000;

export interface OpenFarmParts {
  config: Config;
  db: Kysely<Database>;
  leases: JobLeaseStore;
  events: JobEvents;
  outputs: OutputPlace;
  clock: Clock;
  timing: PoolTiming;
  log: Log;
  /** Told of parts that were there already, and of those that were not. */
  onObservation?: (observation: Observation) => void;
}

/** undefined: hosts have not all that they need to share movies, and each renders whole ones. */
export async function openFarm({ config, db, ...parts }: OpenFarmParts): Promise<Farm | undefined> {
  const { redis, storage, cache, jobs } = config;
  if (redis.url === undefined || storage.bucket === undefined || !('url' in config.db)) return undefined;
  const { clock, timing, log } = parts;
  const queue = await FarmQueue.open({ url: redis.url, log });
  const sources = createFileCache({ folder: join(dirname(cache.segmentsDir), 'sources'), maxBytes: cache.maxSegmentBytes });
  const bundles = new Bundles(await createShelf(storage.bucket), sources);
  const spread = new SpreadStore(db, clock, leaseMsFor(timing));
  return new Farm({ ...parts, queue, bundles, spread, workDir: storage.workDir, slots: jobs.workers });
}

/** Those that are there now, for the operator. */
export async function listFarmHosts(url: string): Promise<FarmHost[]> {
  let loss: Error | undefined;
  const warn = (facts: { err?: Error }): void => {
    loss ??= facts.err;
  };
  const queue = await FarmQueue.open({ url, log: { warn, info: () => {} } });
  try {
    for (const until = performance.now() + waitMs; !queue.isThere; await sleep(20)) {
      if (performance.now() > until) throw new Error(`Redis cannot be reached${loss === undefined ? '' : `: ${loss.message}`}.`);
    }
    return await new HostRegistry(queue.client, queue.prefix).list();
  } finally {
    await queue.close();
  }
}
