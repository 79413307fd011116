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
  /** The script that a render process runs. */
  workerPath: string;
  /** The script that a preview process runs. Default: the one of this build. */
  previewWorkerPath?: string;
  clock?: Clock;
  timing?: Partial<PoolTiming>;
  httpTiming?: Partial<HttpTiming>;
  /** Default: those of the senders. */
  deliveryTiming?: { webhookTimeoutMs?: number; webhookPersistMarginMs?: number; exportLeaseMs?: number };
  /** How long answers under way may take when it stops. */
  lastAnswersMs?: number;
}

/** How long jobs in hand may take to finish when the service stops. */
const drainMs = 30_000;
const defaultLastAnswersMs = 5000;
/** How often what has outlived its time is forgotten. */
const purgeMs = 3_600_000;

const previewWorkerPath = fileURLToPath(new URL('../dist/preview/drawing/preview-worker.js', import.meta.url));

/** The service, wired and running. */
export interface App {
  /** Where it listens, with the real port. */
  readonly address: string;
  /** How clients reach it. */
  readonly publicUrl: string;
  readonly db: Kysely<Database>;
  readonly pool: WorkerPool;
  /** Process ids of the processes that draw previews. */
  readonly previewPids: readonly number[];
  /** Stops in the reverse order of the start. */
  close(graceMs?: number): Promise<void>;
}

export async function startApp(options: AppOptions): Promise<App> {
  const { config, log } = options;
  const components = installedPacks(config);
  const timing = { ...poolTiming, ...options.timing };
  const lastAnswersMs = options.lastAnswersMs ?? defaultLastAnswersMs;
  const metrics = new Metrics({
    countJobs: () => jobs.countByStatus(),
    countImbalances: () => audit.countImbalances(),
    countOwedWebhooks: () => deliveryRecords.countPendingWebhooks(),
  });
  // Before the database: nothing of it has to be closed when something else is wrong.
  const storage = await createStorage(config.storage);
  const db = await openDatabase(config.db, (seconds) => metrics.observeCommit(seconds));
  const databaseClock = await createDatabaseClock(db, systemClock);
  const clock = options.clock ?? databaseClock;
  const audit = new LedgerAudit(db);
  const outbound = createOutbound(config.outbound);
  const outboundFor = (sink: string) => observeOutbound(outbound, { blocked: () => metrics.countBlocked(sink) });
  const ofScripts = outboundFor('script');
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
  let draining = false;
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
    checkUrl: ofScripts.checkUrl,
    components,
    listComponents: () => listComponents(components),
    checkGeneration: createGenerationPolicy(config.generation),
    pricing: createPricing(config),
    exportPolicy: { checkUrl: ofScripts.checkUrl, checkHost: ofScripts.checkHost, hasMail: mail !== undefined },
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
      isDraining: () => draining,
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
    jobs.purgeIdempotencyKeys().catch((error: unknown) => log.error({ err: error }, 'old idempotency keys could not be forgotten'));
  const purging = setInterval(() => void purge(), purgeMs);
  const close = async (graceMs: number = drainMs): Promise<void> => {
    draining = true;
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
    // Not before the public URL is known: webhooks and exports contain URLs of outputs.
    deliveries.start();
    retention.start();
    if (config.jobs.workers > 0) void warnOfSandbox(config, log);
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

/** What the sandbox of renders lacks on this host is said once, and nothing waits for it. */
async function warnOfSandbox({ sandbox: { mode } }: Config, log: FastifyBaseLogger): Promise<void> {
  const missing = mode === 'off' ? ['all of it (FRAMEWRIGHT_SANDBOX=off)'] : [];
  if (mode !== 'off') {
    for (const { layer, on, detail } of await checkSandbox()) if (!on && layer !== 'network') missing.push(`${layer}: ${detail}`);
  }
  if (missing.length > 0) log.warn({ missing }, 'the sandbox of renders is not whole on this host; `framewright doctor` tells more');
}

function installedPacks({ packs }: Config): PackCatalogue {
  try {
    return loadPacks(packs.folder);
  } catch (error) {
    throw error instanceof PackError ? new ConfigError('FRAMEWRIGHT_PACKS_DIR', error.message) : error;
  }
}

/** Answers what is being answered; a download that takes longer is cut and can be resumed by its range. */
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
