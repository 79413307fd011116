import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobEvent, JobStatus } from '../jobs/index.js';

export interface MetricsParts {
  /** Jobs in each state, of all accounts. */
  countJobs: () => Promise<ReadonlyMap<JobStatus, number>>;
  /** Accounts whose balance is not what their ledger says. */
  countImbalances: () => Promise<number>;
}

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const longSeconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** What happens in this process, as Prometheus reads it. */
export class Metrics {
  readonly registry = new Registry();
  readonly #ended = new Counter({
    name: 'render_jobs_total',
    help: 'Jobs that ended, by status and error code.',
    labelNames: ['status', 'code'],
    registers: [this.registry],
  });
  readonly #queueWait = this.#histogram('render_queue_wait_seconds', 'From submission to the start of the last attempt.', longSeconds);
  readonly #duration = this.#histogram('render_duration_seconds', 'From the start of the last attempt to its end.', longSeconds);
  readonly #ratio = this.#histogram('render_realtime_ratio', 'Seconds of film per second of rendering.', [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]);
  readonly #exits = new Counter({
    name: 'render_child_exits_total',
    help: 'Render processes that stopped unasked.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answered requests.',
    labelNames: ['route', 'method', 'code'],
    buckets: seconds,
    registers: [this.registry],
  });
  readonly #commits = this.#histogram('sqlite_commit_seconds', 'Commits of the database.', [0.0005, 0.001, 0.0025, ...seconds]);
  readonly #streams = new Gauge({ name: 'sse_streams', help: 'Open progress streams.', registers: [this.registry] });

  constructor(parts: MetricsParts) {
    collectDefaultMetrics({ register: this.registry });
    this.#gaugeJobs(parts);
    new Gauge({
      name: 'credits_ledger_imbalance',
      help: 'Accounts whose balance is not the sum of their ledger. Must be 0.',
      registers: [this.registry],
      async collect() {
        this.set(await parts.countImbalances());
      },
    });
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
    this.#duration.observe(Math.max(0, finishedAt - startedAt));
    if (job.durationSeconds !== null) this.#ratio.observe(job.durationSeconds / Math.max(0.001, finishedAt - startedAt));
  }

  childExit(reason: string): void {
    this.#exits.inc({ reason });
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
