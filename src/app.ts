import { type AddressInfo, isIPv6 } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { AccountStore, type Clock, LedgerAudit, RateLimiter, systemClock, TemplateStore } from './accounts/index.js';
import { type Config, ConfigError } from './config/index.js';
import { createDatabaseClock, type Database, type Kysely, openDatabase, openNotifications, truncateWal } from './db/index.js';
import { DeliveryRecordStore, DeliveryRunner, DeliveryStore, ExportSender, WebhookSender } from './delivery/outbox/index.js';
import { WebhookSecretStore } from './delivery/webhooks/index.js';
import { createTaskStore, openRenderFarm } from './distributed/index.js';
import { connectRedis } from './distributed/redis/index.js';
import { checkSandbox } from './engine/child-processes/index.js';
import { listComponents, loadPacks, type PackCatalogue, PackError } from './graphics/components/index.js';
import { createHttpServer, type HttpTiming } from './http/index.js';
import { createDiskMonitor, createReadiness, Metrics } from './http/operations/index.js';
import {
  JobEvents,
  JobLeaseStore,
  JobNotifications,
  JobStore,
  leaseDurationMs,
  type Observation,
  OutputRecordStore,
  type PoolTiming,
  poolTiming,
  WorkerPool,
} from './jobs/index.js';
import { Retention } from './jobs/retention/index.js';
import { createOutbound, observeOutbound } from './outbound/index.js';
import { createPreviews } from './preview/index.js';
import { createGenerationPolicy } from './providers/generation/index.js';
import { createPricing } from './providers/pricing/index.js';
import { createStorage } from './storage/index.js';

export interface AppOptions {
  config: Config;
  log: FastifyBaseLogger;
  /** Path of the script that render processes run. */
  workerPath: string;
  /** Path of the script that preview processes run. Default: that of this build. */
  previewWorkerPath?: string;
  clock?: Clock;
  timing?: Partial<PoolTiming>;
  httpTiming?: Partial<HttpTiming>;
  /** Default: those of the senders. */
  deliveryTiming?: { webhookTimeoutMs?: number; webhookPersistMarginMs?: number; exportLeaseMs?: number };
  /** Maximum time for responses in progress when the service stops. Default: 5 s. */
  lastAnswersMs?: number;
}

/** Maximum time for running jobs when the service stops. */
const drainMs = 30_000;
const defaultLastAnswersMs = 5000;
/** Interval at which expired idempotency keys are deleted. */
const purgeIntervalMs = 3_600_000;

const previewWorkerPath = fileURLToPath(new URL('../dist/preview/drawing/preview-worker.js', import.meta.url));

/** The service, wired and running. */
export interface App {
  /** URL on which the service listens, with the port that was bound. */
  readonly address: string;
  /** URL at which clients reach the service. */
  readonly publicUrl: string;
  readonly db: Kysely<Database>;
  readonly pool: WorkerPool;
  /** Process ids of the preview processes. */
  readonly previewPids: readonly number[];
  /** Stops the service in the reverse order of the start. Running jobs get `graceMs` (default: 30 s), then they are requeued. */
  close(graceMs?: number): Promise<void>;
}

export async function startApp(options: AppOptions): Promise<App> {
  const { config, log } = options;
  const components = loadInstalledPacks(config);
  const timing = { ...poolTiming, ...options.timing };
  const lastAnswersMs = options.lastAnswersMs ?? defaultLastAnswersMs;
  const metrics = new Metrics({
    countJobs: () => jobs.countByStatus(),
    getImbalanceCount: () => audit.getImbalanceCount(),
    countDeliveries: () => deliveryRecords.countUndelivered(),
  });
  // Created before the database is opened: if it fails, no database has to be closed.
  const storage = await createStorage(config.storage);
  const db = await openDatabase(config.db, (seconds) => metrics.observeCommit(seconds));
  const databaseClock = await createDatabaseClock(db, systemClock);
  const clock = options.clock ?? databaseClock;
  const audit = new LedgerAudit({ db, clock, onError: (error) => log.error({ err: error }, 'failed to audit the ledger') });
  const outbound = createOutbound(config.outbound);
  const outboundFor = (sink: string) => observeOutbound(outbound, { blocked: () => metrics.countBlocked(sink) });
  const scriptOutbound = outboundFor('script');
  const limiter = new RateLimiter(clock);
  const redis = config.redis.url === undefined ? undefined : await connectRedis({ url: config.redis.url, limiter, clock, log });
  const notifications = await openNotifications(config.db, log);
  const relay = notifications && new JobNotifications(notifications);
  const events = new JobEvents(relay ?? redis?.relay, (jobId) => jobs.read(jobId));
  const deliveryStore = new DeliveryStore(db, clock);
  const deliveryRecords = new DeliveryRecordStore(db, clock);
  const tasks = createTaskStore(config, db);
  const transactionHooks = tasks === undefined ? [deliveryStore] : [deliveryStore, tasks];
  const jobs = new JobStore(db, clock, transactionHooks, { ...config.prices.limits, sandboxBytes: config.retention.sandboxQuotaBytes });
  const leases = new JobLeaseStore(db, clock, leaseDurationMs(timing), transactionHooks, config.prices.limits);
  const onObservation = (observation: Observation): void => metrics.observe(observation);
  const announce = (count: number): void => relay?.announceTasks(count);
  const farm = await openRenderFarm({ config, db, tasks, leases, events, outputs: storage, clock, timing, log, announce, onObservation });
  const pool = new WorkerPool({
    leases,
    events,
    outputs: storage,
    workDir: config.storage.workDir,
    clock,
    workers: config.jobs.workers,
    canStartJob: createDiskMonitor({ folder: config.storage.dataDir, minFreeBytes: config.retention.minFreeBytes, clock, log }),
    workerPath: options.workerPath,
    workerEnvironment: config.jobs.workerEnvironment,
    log,
    onChildExit: (reason) => metrics.countChildExit(reason),
    onObservation,
    source: farm,
    timing,
  });
  const previews = createPreviews({
    maxProcesses: config.preview.workers,
    scriptPath: options.previewWorkerPath ?? previewWorkerPath,
    environment: config.jobs.workerEnvironment,
    workDir: config.storage.workDir,
    log,
  });
  let isDraining = false;
  let publicUrl = config.http.publicUrl ?? '';
  const outputUri = (name: string): string => `${publicUrl}/outputs/${name}`;
  const webhooks = new WebhookSender({
    secrets: new WebhookSecretStore(db, clock),
    jobs,
    outbound: outboundFor('webhook'),
    outputUri,
    retryDelaysMs: config.webhooks.retryDelaysMs,
    onAttempt: (result) => metrics.countWebhookAttempt(result),
    clock,
    log,
    timeoutMs: options.deliveryTiming?.webhookTimeoutMs,
    persistMarginMs: options.deliveryTiming?.webhookPersistMarginMs,
  });
  const { mail, youtube } = config.exports;
  const purgeSecrets = (): Promise<void> => truncateWal(db);
  const leaseMs = options.deliveryTiming?.exportLeaseMs;
  const exports = new ExportSender({ jobs, storage, outputUri, outbound: outboundFor('export'), mail, youtube, purgeSecrets, log, leaseMs });
  const deliveries = new DeliveryRunner({ store: deliveryStore, senders: [webhooks, exports], clock, log });
  events.subscribeToAll((event) => {
    metrics.observeJobEvent(event);
    if (event.type === 'progress') return;
    deliveries.notify();
  });
  const retention = new Retention({
    outputs: new OutputRecordStore(db),
    storage,
    removeLeftovers: () => pool.removeLeftovers(),
    outputRetentionMs: config.retention.outputMs,
    sandboxRetentionMs: config.retention.sandboxMs,
    onRemoved: (...removed) => metrics.countRemoved(...removed),
    clock,
    log,
  });
  const server = createHttpServer({
    ...(options.httpTiming !== undefined && { timing: options.httpTiming }),
    accounts: new AccountStore(db, clock),
    limiter,
    accountLimits: redis?.limits ?? limiter,
    jobs,
    templates: new TemplateStore(db, clock),
    exportsOf: (jobId) => deliveryRecords.listExports(jobId),
    events,
    storage,
    outputUri,
    publicUrl: () => publicUrl,
    checkUrl: scriptOutbound.checkUrl,
    components,
    listComponents: () => listComponents(components),
    checkGeneration: createGenerationPolicy(config.generation),
    pricing: createPricing(config),
    exportPolicy: { checkUrl: scriptOutbound.checkUrl, checkHost: scriptOutbound.checkHost, hasMail: mail !== undefined },
    onSubmitted: (job) => {
      if (farm !== undefined && job.isLive) return farm.wake();
      pool.notify();
      relay?.announceQueued();
    },
    previews,
    clock,
    readiness: createReadiness({
      writeProbe: () => jobs.writeProbe(),
      canRender: () => pool.canRender,
      isDraining: () => isDraining,
      dataDir: config.storage.dataDir,
      minFreeBytes: config.retention.minFreeBytes,
      clock,
    }),
    metrics,
    metricsAccess: { token: config.http.metricsToken },
    trustedProxies: config.http.trustedProxies,
    log,
  });
  const purge = (): Promise<unknown> =>
    jobs.purgeIdempotencyKeys().catch((error: unknown) => log.error({ err: error }, 'failed to delete expired idempotency keys'));
  const purging = setInterval(() => void purge(), purgeIntervalMs);
  const close = async (graceMs: number = drainMs): Promise<void> => {
    isDraining = true;
    clearInterval(purging);
    await closeServer(server, lastAnswersMs);
    await previews.close();
    await retention.stop();
    await farm?.leave();
    await pool.stop(graceMs);
    await farm?.close();
    const lastDeliveriesMs = Math.min(graceMs, lastAnswersMs);
    await deliveries.stop(lastDeliveriesMs);
    await outbound.close();
    redis?.close();
    await relay?.close();
    await audit.close();
    databaseClock.stop();
    await db.destroy();
  };
  try {
    await purge();
    await pool.start();
    relay?.start(() => pool.notify(), farm && ((count) => farm.onAnnounced(count)));
    farm?.start(() => pool.notify('shared'));
    const address = await listen(server, config.http);
    if (publicUrl === '') publicUrl = address;
    // Started once the public URL is known, because webhooks and exports contain URLs of outputs.
    deliveries.start();
    retention.start();
    if (config.jobs.workers > 0) void warnOfMissingSandbox(config, log);
    return {
      address,
      publicUrl,
      db,
      pool,
      get previewPids() {
        return previews.pids;
      },
      close,
    };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** Logs once which layers of the render sandbox are unavailable on this host. The start of the service does not wait for it. */
async function warnOfMissingSandbox({ sandbox: { mode } }: Config, log: FastifyBaseLogger): Promise<void> {
  const missing = mode === 'off' ? ['all of it (FRAMEWRIGHT_SANDBOX=off)'] : [];
  if (mode !== 'off') {
    for (const { layer, on, detail } of await checkSandbox()) if (!on && layer !== 'network') missing.push(`${layer}: ${detail}`);
  }
  if (missing.length > 0) log.warn({ missing }, 'the render sandbox is incomplete on this host; run `framewright doctor` for details');
}

function loadInstalledPacks({ packs }: Config): PackCatalogue {
  try {
    return loadPacks(packs.folder);
  } catch (error) {
    throw error instanceof PackError ? new ConfigError('FRAMEWRIGHT_PACKS_DIR', error.message) : error;
  }
}

/** Closes the server. Responses in progress get `lastAnswersMs`; a download that takes longer is cut off and can be resumed by range requests. */
async function closeServer(server: FastifyInstance, lastAnswersMs: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), lastAnswersMs);
  await server.close();
  clearTimeout(cut);
}

async function listen(server: FastifyInstance, { host, port }: Config['http']): Promise<string> {
  await server.listen({ host, port });
  const bound = (server.server.address() as AddressInfo).port;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`;
}
