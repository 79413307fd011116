import { dirname, join } from 'node:path';
import type { Clock } from '../accounts/index.js';
import { createFileCache } from '../cache/index.js';
import type { Config } from '../config/index.js';
import type { Database, Kysely } from '../db/index.js';
import { type JobEvents, type JobLeaseStore, type Log, leaseMsFor, type OutputPlace, type PoolTiming, SpreadStore } from '../jobs/index.js';
import { createShelf } from '../storage/index.js';
import { Bundles } from './bundle.js';
import { Farm } from './farm.js';
import { FarmQueue } from './farm-queue.js';

export interface OpenFarmParts {
  config: Config;
  db: Kysely<Database>;
  leases: JobLeaseStore;
  events: JobEvents;
  outputs: OutputPlace;
  clock: Clock;
  timing: PoolTiming;
  log: Log;
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
