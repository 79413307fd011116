import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobEvent, JobStatus, Observation } from '../../jobs/index.js';

export interface MetricsParts {
  /** Jobs in each state, of all accounts. */
  countJobs: () => Promise<ReadonlyMap<JobStatus, number>>;
  /** Accounts whose balance is not what their ledger says. */
  countImbalances: () => Promise<number>;
  /** Webhooks that are owed: due, or waiting for their next attempt. */
  countOwedWebhooks: () => Promise<number>;
}

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const longSeconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** What happens in this process, as Prometheus reads it. */
export class Metrics {
  readonly registry = new Registry();
  readonly #ended = this.#counter('render_jobs_total', 'Jobs that ended, by status and error code.', ['status', 'code']);
  readonly #queueWait = this.#histogram('render_queue_wait_seconds', 'From submission to the start of the last attempt.', longSeconds);
  readonly #duration = new Histogram({
    name: 'render_duration_seconds',
    help: 'From the start of the last attempt to its end.',
    labelNames: ['encoder'],
    buckets: longSeconds,
    registers: [this.registry],
  });
  readonly #parts = new Histogram({
    name: 'movie_part_seconds',
    help: 'Parts of movies that several hosts share: bringing here what they take, rendering, handing over the packets.',
    labelNames: ['step'],
    buckets: [0.1, 0.25, 0.5, ...longSeconds],
    registers: [this.registry],
  });
  readonly #ratio = this.#histogram('render_realtime_ratio', 'Seconds of film per second of rendering.', [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]);
  readonly #exits = this.#counter('render_child_exits_total', 'Render processes that stopped unasked.', ['reason']);
  readonly #fetches = this.#counter('media_fetch_total', 'Media that were fetched, or were to be.', ['result']);
  readonly #fetchedBytes = this.#counter('media_fetch_bytes_total', 'Bytes of media that arrived.', []);
  readonly #blocked = this.#counter('ssrf_blocked_total', 'Addresses that may not be reached and were to be, by who was to reach them.', ['sink']);
  readonly #webhooks = this.#counter('webhook_attempts_total', 'Attempts to deliver a webhook whose outcome is known.', ['result']);
  readonly #sessions = new Gauge({ name: 'encoder_sessions', help: 'Open encoders.', labelNames: ['gpu', 'encoder'], registers: [this.registry] });
  readonly #interops = this.#counter(
    'segment_interop_total',
    'Segments composed by a GPU, by the path of their frames to its encoder; host: through main memory.',
    ['backend'],
  );
  readonly #decodes = this.#counter('clip_decode_total', 'Clips that a GPU could decode, by what decoded them; software: the CPU.', ['backend']);
  readonly #oldInterops = this.#counter('frame_handover_total', 'Deprecated: use segment_interop_total.', ['way']);
  readonly #oldDecodes = this.#counter('film_decode_total', 'Deprecated: use clip_decode_total.', ['way']);
  readonly #fallbacks = this.#counter('encoder_fallback_total', 'Renders in which hardware gave out, and what took its place.', ['from', 'to', 'reason']);
  readonly #available = new Gauge({
    name: 'encoder_available',
    help: 'Whether a hardware encoder opened when it was last tried.',
    labelNames: ['encoder'],
    registers: [this.registry],
  });
  readonly #refusals = this.#counter('encoder_refusals_total', 'Hardware encoders that were tried in vain, by kind of reason.', ['encoder', 'reason']);
  readonly #cacheHits = this.#counter('segment_cache_hits_total', 'Scenes and sound tracks that were encoded by an earlier render.', ['part']);
  readonly #cacheMisses = this.#counter('segment_cache_misses_total', 'Scenes and sound tracks that were looked for among those of earlier renders in vain.', [
    'part',
  ]);
  readonly #cacheBytes = this.#counter('segment_cache_bytes_total', 'Encoded bytes that were taken from earlier renders, or kept for later ones.', [
    'direction',
  ]);
  readonly #removed = this.#counter('outputs_removed_total', 'Finished films that were removed for their age, and files that crashes left.', ['reason']);
  readonly #removedBytes = this.#counter('outputs_removed_bytes_total', 'Bytes of finished films that were removed for their age.', []);
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answered requests.',
    labelNames: ['route', 'method', 'code'],
    buckets: seconds,
    registers: [this.registry],
  });
  readonly #commits = this.#histogram('sqlite_commit_seconds', 'Commits of the database.', [0.0005, 0.001, 0.0025, ...seconds]);
  readonly #streams = new Gauge({ name: 'sse_streams', help: 'Open progress streams.', registers: [this.registry] });

  /** Without `shared`: what all machines have in common is told by others. */
  constructor(shared?: MetricsParts) {
    collectDefaultMetrics({ register: this.registry });
    if (shared !== undefined) this.#gaugeShared(shared);
    // From the start at 0, so that a first one is seen as a rise.
    for (const result of ['ok', 'blocked', 'failed']) this.#fetches.inc({ result }, 0);
    for (const sink of ['script', 'media', 'html', 'webhook', 'export']) this.#blocked.inc({ sink }, 0);
    for (const result of ['delivered', 'failed']) this.#webhooks.inc({ result }, 0);
    for (const part of ['picture', 'sound']) for (const counter of [this.#cacheHits, this.#cacheMisses]) counter.inc({ part }, 0);
    for (const direction of ['read', 'written']) this.#cacheBytes.inc({ direction }, 0);
  }

  jobEvent(event: JobEvent): void {
    if (event.type === 'progress') return;
    const { job } = event;
    this.#ended.inc({ status: job.status, code: job.failure?.code ?? 'none' });
    const [createdAt, startedAt, finishedAt] = [job.createdAt, job.startedAt, job.finishedAt].map((text) => Date.parse(text ?? '') / 1000) as [
      number,
      number,
      number,
    ];
    if (Number.isNaN(startedAt) || Number.isNaN(finishedAt)) return;
    this.#queueWait.observe(Math.max(0, startedAt - createdAt));
    const encoder = event.type === 'complete' ? event.encoder : undefined;
    this.#duration.observe({ encoder: encoder ?? 'none' }, Math.max(0, finishedAt - startedAt));
    if (job.durationSeconds !== null) this.#ratio.observe(job.durationSeconds / Math.max(0.001, finishedAt - startedAt));
  }

  childExit(reason: string): void {
    this.#exits.inc({ reason });
  }

  /** What a render process saw. */
  observation(seen: Observation): void {
    switch (seen.kind) {
      case 'media-fetch':
        this.#fetches.inc({ result: seen.result });
        this.#fetchedBytes.inc(seen.bytes);
        break;
      case 'blocked':
        this.blocked(seen.sink);
        break;
      case 'encoder-session':
        this.#sessions.inc({ gpu: seen.gpu, encoder: seen.encoder }, seen.open ? 1 : -1);
        break;
      case 'segment-cache':
        (seen.result === 'hit' ? this.#cacheHits : this.#cacheMisses).inc({ part: seen.part });
        this.#cacheBytes.inc({ direction: seen.result === 'hit' ? 'read' : 'written' }, seen.bytes);
        break;
      case 'encoder-fallback':
        this.#fallbacks.inc({ from: seen.from, to: seen.to, reason: seen.reason });
        break;
      case 'frame-interop':
        this.#interops.inc({ backend: seen.backend });
        this.#oldInterops.inc({ way: seen.backend });
        break;
      case 'clip-decode':
        this.#decodes.inc({ backend: seen.backend });
        this.#oldDecodes.inc({ way: seen.backend });
        break;
      case 'encoder-trial':
        this.#available.set({ encoder: seen.encoder }, seen.available ? 1 : 0);
        if (!seen.available) this.#refusals.inc({ encoder: seen.encoder, reason: seen.refusal });
        break;
      case 'movie-part':
        for (const [step, took] of Object.entries(seen.seconds)) this.#parts.observe({ step }, took);
        break;
    }
  }

  /** The sink: `script` for what a submission names, otherwise who was to reach the address. */
  blocked(sink: string): void {
    this.#blocked.inc({ sink });
  }

  removed(reason: 'expired' | 'abandoned', files: number, bytes: number): void {
    this.#removed.inc({ reason }, files);
    this.#removedBytes.inc(bytes);
  }

  webhookAttempt(result: 'delivered' | 'failed'): void {
    this.#webhooks.inc({ result });
  }

  request(facts: { route: string; method: string; status: number; seconds: number }): void {
    this.#requests.observe({ route: facts.route, method: facts.method, code: facts.status }, facts.seconds);
  }

  commit(elapsedSeconds: number): void {
    this.#commits.observe(elapsedSeconds);
  }

  streamOpened(): void {
    this.#streams.inc();
  }

  streamClosed(): void {
    this.#streams.dec();
  }

  #histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name, help, buckets, registers: [this.registry] });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gaugeShared(parts: MetricsParts): void {
    this.#gaugeJobs(parts);
    this.#gauge('credits_ledger_imbalance', 'Accounts whose balance is not the sum of their ledger. Must be 0.', parts.countImbalances);
    this.#gauge('webhook_backlog', 'Webhooks that are owed.', parts.countOwedWebhooks);
  }

  /** Counted anew whenever it is read. */
  #gauge(name: string, help: string, count: () => Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await count());
      },
    });
  }

  #gaugeJobs({ countJobs }: MetricsParts): void {
    const registers = [this.registry];
    const depth = new Gauge({ name: 'render_queue_depth', help: 'Jobs that wait for a render process.', registers });
    new Gauge({
      name: 'render_jobs',
      help: 'Jobs by status.',
      labelNames: ['status'],
      registers,
      async collect() {
        const counts = await countJobs();
        for (const status of ['queued', 'processing', 'completed', 'failed'] as const) this.set({ status }, counts.get(status) ?? 0);
        depth.set(counts.get('queued') ?? 0);
      },
    });
  }
}
