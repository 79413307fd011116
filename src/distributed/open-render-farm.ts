import { dirname, join } from 'node:path';
import type { Clock } from '../accounts/index.js';
import type { Config } from '../config/index.js';
import { type Database, type DatabaseLocation, type Kysely, openDatabase } from '../db/index.js';
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
import { HostStore, type RenderHost } from './queue/host-store.js';
import { MaintenanceStore } from './queue/maintenance-store.js';
import { TaskQueue } from './queue/task-queue.js';
import { TaskStore } from './queue/task-store.js';
import { RenderFarm } from './render-farm.js';

/** Dependencies of a render farm. */
export interface OpenRenderFarmOptions {
  config: Config;
  db: Kysely<Database>;
  /** The transaction hook of `leases`. */
  tasks: TaskStore | undefined;
  leases: JobLeaseStore;
  events: JobEvents;
  outputs: OutputStore;
  /** The database's clock. */
  clock: Clock;
  timing: PoolTiming;
  log: Log;
  /** Tells other hosts that this many tasks are ready. */
  announce: (count: number) => void;
  /** Called with metric observations. */
  onObservation?: (observation: Observation) => void;
}

/** The tasks that hosts share, a transaction hook of the job stores; undefined without PostgreSQL and a bucket. */
export function createTaskStore({ db: location, storage }: Config, db: Kysely<Database>): TaskStore | undefined {
  return 'url' in location && storage.bucket !== undefined ? new TaskStore(db) : undefined;
}

/** Opens the render farm; undefined without PostgreSQL and a bucket, in which case each host renders whole movies. */
export async function openRenderFarm({ config, db, tasks, announce, ...parts }: OpenRenderFarmOptions): Promise<RenderFarm | undefined> {
  const { storage, cache, jobs } = config;
  if (tasks === undefined || storage.bucket === undefined) return undefined;
  const { clock, timing, log } = parts;
  const queue = new TaskQueue({ store: tasks, log, announce });
  const sources = createFileCache({ folder: join(dirname(cache.segmentsDir), 'sources'), maxBytes: cache.maxSegmentBytes });
  const bundles = new BundleStore(await createObjectStore(storage.bucket), sources);
  const leaseMs = leaseDurationMs(timing);
  const context = { ...parts, queue, bundles, jobs: new DistributedJobStore(db, clock, leaseMs), leaseMs, workDir: storage.workDir };
  return new RenderFarm({ ...context, slots: jobs.workers, hosts: new HostStore(db), maintenance: new MaintenanceStore(db) });
}

/** Lists the connected hosts for operators. */
export async function listRenderHosts(location: DatabaseLocation): Promise<RenderHost[]> {
  const db = await openDatabase(location);
  try {
    return await new HostStore(db).list();
  } finally {
    await db.destroy();
  }
}
