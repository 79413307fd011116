import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../accounts/index.js';
import type { Config } from '../config/index.js';
import type { Database, Kysely } from '../db/index.js';
import {
  DistributedJobStore,
  type JobEvents,
  type JobLeaseStore,
  type Log,
  leaseDurationMs,
  type Observation,
  type OutputStore,
  type PoolTiming,
} from '../jobs/index.js';
import { createFileCache } from '../storage/cache/index.js';
import { createObjectStore } from '../storage/index.js';
import { BundleStore } from './bundle-store.js';
import { HostRegistry, type RenderHost } from './queue/host-registry.js';
import { RenderQueue } from './queue/render-queue.js';
import { RenderFarm } from './render-farm.js';

/** How long to wait for Redis (ms). */
const waitMs = 5000;

/** Dependencies of a render farm. */
export interface OpenRenderFarmOptions {
  config: Config;
  db: Kysely<Database>;
  leases: JobLeaseStore;
  events: JobEvents;
  outputs: OutputStore;
  clock: Clock;
  timing: PoolTiming;
  log: Log;
  /** Called with metric observations. */
  onObservation?: (observation: Observation) => void;
}

/** Opens the render farm; undefined without Redis, PostgreSQL and a bucket, in which case each host renders whole movies. */
export async function openRenderFarm({ config, db, ...parts }: OpenRenderFarmOptions): Promise<RenderFarm | undefined> {
  const { redis, storage, cache, jobs } = config;
  if (redis.url === undefined || storage.bucket === undefined || !('url' in config.db)) return undefined;
  const { clock, timing, log } = parts;
  const queue = await RenderQueue.open({ url: redis.url, log });
  const sources = createFileCache({ folder: join(dirname(cache.segmentsDir), 'sources'), maxBytes: cache.maxSegmentBytes });
  const bundles = new BundleStore(await createObjectStore(storage.bucket), sources);
  const spread = new DistributedJobStore(db, clock, leaseDurationMs(timing));
  return new RenderFarm({ ...parts, queue, bundles, jobs: spread, workDir: storage.workDir, slots: jobs.workers });
}

/** Lists the connected hosts for operators. */
export async function listRenderHosts(url: string): Promise<RenderHost[]> {
  let cause: Error | undefined;
  const warn = (fields: { err?: Error }): void => {
    cause ??= fields.err;
  };
  const queue = await RenderQueue.open({ url, log: { warn, info: () => {} } });
  try {
    for (const until = performance.now() + waitMs; !queue.isConnected; await sleep(20)) {
      if (performance.now() > until) throw new Error(`Redis cannot be reached${cause === undefined ? '' : `: ${cause.message}`}.`);
    }
    return await new HostRegistry(queue.client, queue.prefix).list();
  } finally {
    await queue.close();
  }
}
