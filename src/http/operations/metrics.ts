import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobEvent, JobStatus, Observation } from '../../jobs/index.js';
import { jobStatuses } from '../../jobs/index.js';

/** Counts from the database, which are the same on all hosts. */
export interface MetricsParts {
  /** Jobs in each state, of all accounts. */
  countJobs: () => Promise<ReadonlyMap<JobStatus, number>>;
  /** Accounts whose balance differs from the sum of their ledger, by the last audit; undefined before the first. */
  getImbalanceCount: () => number | undefined;
  /** Webhooks and exports that are to be delivered, and those that have failed for good. */
  countDeliveries: () => Promise<Record<'pending' | 'failed', Record<'webhook' | 'export', number>>>;
}

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const longSeconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** Prometheus metrics of this process. */
export class Metrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];
  readonly #endedJobs = this.#counter('render_jobs_total', 'Finished jobs by status and error code.', ['status', 'code']);
  readonly #queueWait = this.#histogram('render_queue_wait_seconds', 'Time from submission to the start of the last attempt.', longSeconds);
  readonly #duration = this.#histogram('render_duration_seconds', 'Duration of the last attempt of a job.', longSeconds, ['encoder']);
  readonly #segments = this.#histogram(
    'movie_part_seconds',
    'Segments of distributed renders by step: staging inputs, rendering, delivering packets.',
    [0.1, 0.25, 0.5, ...longSeconds],
    ['step'],
  );
  readonly #ratio = this.#histogram('render_realtime_ratio', 'Seconds of video per second of rendering.', [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]);
  readonly #exits = this.#counter('render_child_exits_total', 'Render processes that exited unexpectedly.', ['reason']);
  readonly #fetches = this.#counter('media_fetch_total', 'Media downloads by result.', ['result']);
  readonly #fetchedBytes = this.#counter('media_fetch_bytes_total', 'Bytes of media received.', []);
  readonly #blocked = this.#counter('ssrf_blocked_total', 'Requests to forbidden addresses that were blocked, by what requested them.', ['sink']);
  readonly #webhooks = this.#counter('webhook_attempts_total', 'Webhook delivery attempts by result.', ['result']);
  readonly #sessions = this.#gauge('encoder_sessions', 'Open encoders.', ['gpu', 'encoder']);
  readonly #interops = this.#counter('segment_interop_total', 'Segments composed by a GPU, by the path of frames to the encoder.', ['backend']);
  readonly #decodes = this.#counter('clip_decode_total', 'Clips by decode backend, on hosts with hardware decoding.', ['backend']);
  readonly #oldInterops = this.#counter('frame_handover_total', 'Deprecated: use segment_interop_total.', ['way']);
  readonly #oldDecodes = this.#counter('film_decode_total', 'Deprecated: use clip_decode_total.', ['way']);
  readonly #fallbacks = this.#counter('encoder_fallback_total', 'Renders in which another encoder replaced a hardware encoder.', ['from', 'to', 'reason']);
  readonly #available = this.#gauge('encoder_available', 'Result of the last probe of a hardware encoder: 1 if it opened.', ['encoder']);
  readonly #refusals = this.#counter('encoder_refusals_total', 'Failed probes of hardware encoders by kind of reason.', ['encoder', 'reason']);
  readonly #cacheHits = this.#counter('segment_cache_hits_total', 'Encoded scenes and audio tracks found in the cache.', ['part']);
  readonly #cacheMisses = this.#counter('segment_cache_misses_total', 'Encoded scenes and audio tracks not found in the cache.', ['part']);
  readonly #cacheBytes = this.#counter('segment_cache_bytes_total', 'Encoded bytes read from and written to the cache.', ['direction']);
  readonly #removed = this.#counter('outputs_removed_total', 'Output files removed: expired, or abandoned after a crash.', ['reason']);
  readonly #removedBytes = this.#counter('outputs_removed_bytes_total', 'Bytes of removed output files.', []);
  readonly #requests = this.#histogram('http_request_duration_seconds', 'Duration of HTTP requests.', seconds, ['route', 'method', 'code']);
  readonly #commits = this.#histogram('sqlite_commit_seconds', 'Duration of database commits.', [0.0005, 0.001, 0.0025, ...seconds]);
  readonly #streams = this.#gauge('sse_streams', 'Open progress streams.', []);

  /** Without `shared` the counts from the database are left out. */
  constructor(shared?: MetricsParts) {
    collectDefaultMetrics({ register: this.registry });
    if (shared !== undefined) this.#addSharedGauges(shared);
    // Counters that start at 0 make the first increment visible as a rise.
    for (const result of ['ok', 'blocked', 'failed']) this.#fetches.inc({ result }, 0);
    for (const sink of ['script', 'media', 'html', 'webhook', 'export']) this.#blocked.inc({ sink }, 0);
    for (const result of ['delivered', 'failed']) this.#webhooks.inc({ result }, 0);
    for (const part of ['picture', 'sound']) for (const counter of [this.#cacheHits, this.#cacheMisses]) counter.inc({ part }, 0);
    for (const direction of ['read', 'written']) this.#cacheBytes.inc({ direction }, 0);
  }

  observeJobEvent(event: JobEvent): void {
    if (event.type === 'progress') return;
    const { job } = event;
    this.#endedJobs.inc({ status: job.status, code: job.failure?.code ?? 'none' });
    if (job.startedAt === null || job.finishedAt === null) return;
    const startedAt = Date.parse(job.startedAt);
    const elapsed = Math.max(0, Date.parse(job.finishedAt) - startedAt) / 1000;
    this.#queueWait.observe(Math.max(0, startedAt - Date.parse(job.createdAt)) / 1000);
    const encoder = event.type === 'complete' ? event.encoder : undefined;
    this.#duration.observe({ encoder: encoder ?? 'none' }, elapsed);
    if (job.durationSeconds !== null) this.#ratio.observe(job.durationSeconds / Math.max(0.001, elapsed));
  }

  countChildExit(reason: string): void {
    this.#exits.inc({ reason });
  }

  /** Records an observation of a render process. */
  observe(observation: Observation): void {
    switch (observation.kind) {
      case 'media-fetch':
        this.#fetches.inc({ result: observation.result });
        this.#fetchedBytes.inc(observation.bytes);
        break;
      case 'blocked':
        this.countBlocked(observation.sink);
        break;
      case 'encoder-session':
        this.#sessions.inc({ gpu: observation.gpu, encoder: observation.encoder }, observation.open ? 1 : -1);
        break;
      case 'segment-cache':
        (observation.result === 'hit' ? this.#cacheHits : this.#cacheMisses).inc({ part: observation.part });
        this.#cacheBytes.inc({ direction: observation.result === 'hit' ? 'read' : 'written' }, observation.bytes);
        break;
      case 'encoder-fallback':
        this.#fallbacks.inc({ from: observation.from, to: observation.to, reason: observation.reason });
        break;
      case 'frame-interop':
        this.#interops.inc({ backend: observation.backend });
        this.#oldInterops.inc({ way: observation.backend });
        break;
      case 'clip-decode':
        this.#decodes.inc({ backend: observation.backend });
        this.#oldDecodes.inc({ way: observation.backend });
        break;
      case 'encoder-trial':
        this.#available.set({ encoder: observation.encoder }, observation.available ? 1 : 0);
        if (!observation.available) this.#refusals.inc({ encoder: observation.encoder, reason: observation.refusal });
        break;
      case 'movie-part':
        for (const [step, elapsed] of Object.entries(observation.seconds)) this.#segments.observe({ step }, elapsed);
        break;
    }
  }

  /** `sink` names what requested the address: `script` for URLs of a submission, or the part of the service. */
  countBlocked(sink: string): void {
    this.#blocked.inc({ sink });
  }

  countRemoved(reason: 'expired' | 'abandoned', files: number, bytes: number): void {
    this.#removed.inc({ reason }, files);
    this.#removedBytes.inc(bytes);
  }

  countWebhookAttempt(result: 'delivered' | 'failed'): void {
    this.#webhooks.inc({ result });
  }

  observeRequest({ route, method, status, seconds: elapsed }: { route: string; method: string; status: number; seconds: number }): void {
    this.#requests.observe({ route, method, code: status }, elapsed);
  }

  observeCommit(elapsedSeconds: number): void {
    this.#commits.observe(elapsedSeconds);
  }

  /** `change` is 1 for an opened progress stream and -1 for a closed one. */
  countStreams(change: 1 | -1): void {
    this.#streams.inc(change);
  }

  #histogram<Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[] = []): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: this.#registers });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  /** A gauge that `collect` updates whenever it is read. */
  #gauge<Label extends string>(name: string, help: string, labelNames: Label[], collect?: (gauge: Gauge<Label>) => Promise<void>): Gauge<Label> {
    const gauge: Gauge<Label> = new Gauge({ name, help, labelNames, registers: this.#registers, ...(collect && { collect: () => collect(gauge) }) });
    return gauge;
  }

  #addSharedGauges({ countJobs, getImbalanceCount, countDeliveries }: MetricsParts): void {
    // A gauge gets its value from its own `collect`: one that another gauge sets would show that of the last scrape.
    const jobs = shareRunning(countJobs);
    this.#gauge('render_queue_depth', 'Jobs that wait for a render process.', [], async (gauge) => gauge.set((await jobs()).get('queued') ?? 0));
    this.#gauge('render_jobs', 'Jobs by status.', ['status'], async (gauge) => {
      const counts = await jobs();
      for (const status of jobStatuses) gauge.set({ status }, counts.get(status) ?? 0);
    });
    const imbalanceHelp = 'Accounts whose balance differs from the sum of their ledger, by an audit at most every minute; must be 0.';
    this.#gauge('credits_ledger_imbalance', imbalanceHelp, [], async (gauge) => gauge.set(getImbalanceCount() ?? Number.NaN));
    const deliveries = shareRunning(countDeliveries);
    this.#gauge('webhook_backlog', 'Webhooks to be delivered.', [], async (gauge) => gauge.set((await deliveries()).pending.webhook));
    this.#gauge('export_backlog', 'Exports to be delivered.', [], async (gauge) => gauge.set((await deliveries()).pending.export));
    this.#gauge('deliveries_failed', 'Webhooks and exports that have failed for good.', ['kind'], async (gauge) => {
      const { failed } = await deliveries();
      for (const kind of ['webhook', 'export'] as const) gauge.set({ kind }, failed[kind]);
    });
  }
}

/** Calls that come while another one runs get its result: the gauges of one scrape share a query. */
function shareRunning<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
