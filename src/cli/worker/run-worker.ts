import { fileURLToPath } from 'node:url';
import { RateLimiter, systemClock } from '../../accounts/index.js';
import { type Config, ConfigError } from '../../config/index.js';
import { openDatabase } from '../../db/index.js';
import { ExportStore } from '../../delivery/outbox/index.js';
import { WebhookStore } from '../../delivery/webhooks/index.js';
import { openRenderFarm } from '../../distributed/index.js';
import { connectRedis } from '../../distributed/redis/index.js';
import { createDiskMonitor, createReadiness, Metrics } from '../../http/operations/index.js';
import { JobEvents, JobLeaseStore, JobStore, type Log, leaseDurationMs, type Observation, poolTiming, WorkerPool } from '../../jobs/index.js';
import { createStorage } from '../../storage/index.js';
import { type OperatorAddress, openOperatorAddress } from './operator-address.js';

/** The script that a render process runs. */
const renderProcess = fileURLToPath(new URL('../../worker.js', import.meta.url));

export interface RunningWorker {
  pool: WorkerPool;
  /** Where it tells operators how it does, if anywhere. */
  operatorUrl: string | undefined;
  /** Lets the jobs in hand finish within the time, then gives them back to the queue. */
  close(graceMs: number): Promise<void>;
}

/** Render processes that take jobs from a database which services on other machines share. */
export async function runWorker(config: Config, log: Log, workerPath = renderProcess): Promise<RunningWorker> {
  checkShared(config);
  const clock = systemClock;
  // What all machines have in common services tell.
  const metrics = config.http.metricsPort === undefined ? undefined : new Metrics();
  const storage = await createStorage(config.storage);
  const db = await openDatabase(config.db, (seconds) => metrics?.observeCommit(seconds));
  const { url } = config.redis;
  const redis = url === undefined ? undefined : await connectRedis({ url, limiter: new RateLimiter(clock), clock, log });
  // What a job's end owes is written with it; a service sends it.
  const companions = [new WebhookStore(db, clock), new ExportStore(db, clock)];
  const leases = new JobLeaseStore(db, clock, leaseDurationMs(poolTiming), companions);
  const events = new JobEvents(redis?.relay);
  events.subscribeToAll((event) => metrics?.observeJobEvent(event));
  const onObservation = (observation: Observation): void => metrics?.observe(observation);
  const farm = await openRenderFarm({ config, db, leases, events, outputs: storage, clock, timing: poolTiming, log, onObservation });
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
    redis?.close();
    await db.destroy();
  };
  try {
    if (metrics !== undefined) {
      const jobs = new JobStore(db, clock, companions);
      const writeProbe = (): Promise<void> => jobs.writeProbe();
      const readiness = createReadiness({ writeProbe, canRender: () => pool.canRender, isDraining: () => isDraining, dataDir, minFreeBytes, clock });
      operators = await openOperatorAddress(config.http, { metrics, readiness });
    }
    await pool.start();
    farm?.start(() => pool.notify('shared'));
  } catch (error) {
    await close(0);
    throw error;
  }
  return { pool, operatorUrl: operators?.url, close };
}

function checkShared({ db, storage, jobs }: Config): void {
  if (!('url' in db))
    throw new ConfigError('DATABASE_URL', 'a worker takes jobs from a database that it shares with a service: postgres://user:password@host:5432/name');
  if (storage.bucket === undefined) throw new ConfigError('FRAMEWRIGHT_STORAGE', 'a worker leaves films where services find them: s3://bucket/prefix');
  if (jobs.workers === 0) throw new ConfigError('FRAMEWRIGHT_WORKERS', 'a worker needs at least 1 render process');
}
