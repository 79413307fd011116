import { fileURLToPath } from 'node:url';
import { systemClock } from '../../accounts/index.js';
import { type Config, ConfigError } from '../../config/index.js';
import { createDatabaseClock, openDatabase, openNotifications } from '../../db/index.js';
import { DeliveryStore } from '../../delivery/outbox/index.js';
import { createTaskStore, openRenderFarm } from '../../distributed/index.js';
import { createDiskMonitor, createReadiness, Metrics } from '../../http/operations/index.js';
import { JobEvents, JobLeaseStore, JobNotifications, JobStore, type Log, leaseDurationMs, type Observation, poolTiming, WorkerPool } from '../../jobs/index.js';
import { createStorage } from '../../storage/index.js';
import { type OperatorAddress, openOperatorAddress } from './operator-address.js';

/** Main module of render processes. */
const renderProcess = fileURLToPath(new URL('../../worker.js', import.meta.url));

/** A started worker. */
export interface RunningWorker {
  pool: WorkerPool;
  /** Address of health and metrics; undefined if FRAMEWRIGHT_METRICS_PORT is not set. */
  operatorUrl: string | undefined;
  /** Stops taking jobs, waits up to `graceMs` for the running ones, then requeues them. */
  close(graceMs: number): Promise<void>;
}

/** Starts render processes that take jobs from the database of services on other hosts. */
export async function runWorker(config: Config, log: Log, workerPath = renderProcess): Promise<RunningWorker> {
  checkShared(config);
  // Metrics of the shared database are exported by the services.
  const metrics = config.http.metricsPort === undefined ? undefined : new Metrics();
  const storage = await createStorage(config.storage);
  const db = await openDatabase(config.db, (seconds) => metrics?.observeCommit(seconds));
  const clock = await createDatabaseClock(db, systemClock);
  const notifications = await openNotifications(config.db, log);
  const relay = notifications && new JobNotifications(notifications);
  // Webhooks and exports of a finished job are stored with its outcome; a service delivers them.
  const tasks = createTaskStore(config, db);
  const transactionHooks = [new DeliveryStore(db, clock), ...(tasks === undefined ? [] : [tasks])];
  const leases = new JobLeaseStore(db, clock, leaseDurationMs(poolTiming), transactionHooks, config.prices.limits);
  // A worker has no streams, so it never reads a job that has ended.
  const events = new JobEvents(relay);
  events.subscribeToAll((event) => metrics?.observeJobEvent(event));
  const onObservation = (observation: Observation): void => metrics?.observe(observation);
  const announce = (count: number): void => relay?.announceTasks(count);
  const farm = await openRenderFarm({ config, db, tasks, leases, events, outputs: storage, clock, timing: poolTiming, log, announce, onObservation });
  const { dataDir, workDir } = config.storage;
  const { minFreeBytes } = config.retention;
  const pool = new WorkerPool({
    leases,
    events,
    outputs: storage,
    workDir,
    clock,
    workers: config.jobs.workers,
    canStartJob: createDiskMonitor({ folder: dataDir, minFreeBytes, clock, log }),
    workerPath,
    workerEnvironment: config.jobs.workerEnvironment,
    source: farm,
    onChildExit: (reason) => metrics?.countChildExit(reason),
    onObservation,
    log,
  });
  let isDraining = false;
  let operators: OperatorAddress | undefined;
  const close = async (graceMs: number): Promise<void> => {
    isDraining = true;
    await farm?.leave();
    await pool.stop(graceMs);
    await farm?.close();
    await operators?.close();
    await relay?.close();
    clock.stop();
    await db.destroy();
  };
  try {
    if (metrics !== undefined) {
      const jobs = new JobStore(db, clock, transactionHooks);
      const writeProbe = (): Promise<void> => jobs.writeProbe();
      const readiness = createReadiness({ writeProbe, canRender: () => pool.canRender, isDraining: () => isDraining, dataDir, minFreeBytes, clock });
      operators = await openOperatorAddress(config.http, { metrics, readiness });
    }
    await pool.start();
    relay?.start(() => pool.notify(), farm && ((count) => farm.onAnnounced(count)));
    farm?.start(() => pool.notify('shared'));
  } catch (error) {
    await close(0);
    throw error;
  }
  return { pool, operatorUrl: operators?.url, close };
}

function checkShared({ db, storage, jobs }: Config): void {
  if (!('url' in db))
    throw new ConfigError('DATABASE_URL', 'must be the PostgreSQL database that the worker shares with a service: postgres://user:password@host:5432/name');
  if (storage.bucket === undefined)
    throw new ConfigError('FRAMEWRIGHT_STORAGE', 'must be the bucket in which services find finished files: s3://bucket/prefix');
  if (jobs.workers === 0) throw new ConfigError('FRAMEWRIGHT_WORKERS', 'must be at least 1 on a worker');
}
