import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AccountStore, systemClock } from '../../../src/accounts/index.js';
import { type Database, type Kysely, openDatabase } from '../../../src/db/index.js';
import { retryWhileUnavailable } from '../../../src/jobs/index.js';
import type { CommitFate } from '../postgres-proxy.js';
import { createPostgresServer, type PostgresServer } from '../postgres-server.js';
import { pause } from '../receiver.js';
import { type AuditRow, installAudit } from './audit.js';
import { checkOutput, findViolations, targetPaths, type Violation } from './checks.js';
import { commitKinds, describeStep, type FaultStep, type History, hostCount, type JobStep } from './history.js';
import { Host } from './host.js';
import { Targets } from './targets.js';

const numericTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
/** Responses after which a client submits again; 408 comes from a host that was paused. */
const retried = new Set([408, 429]);
const credits = 1000;
/** How long a host is stopped after a commit: longer than its leases last (ms). */
const freezeMs = 9000;
/** How long after the commit: the host has its answer and does what it claimed. One without an answer would give up its claim (ms). */
const freezeDelayMs = 15;
/** How long everything may take to end after the faults have. */
const restMs = 180_000;

export interface FleetOptions {
  isolation: History['isolation'];
  /** Build of the service; default: dist/. */
  dist?: string | undefined;
  /** Renders real movies with this render process; default: the small one, which renders none. */
  realWorker?: string | undefined;
}

/** The outcome of a history. */
export interface Outcome {
  violations: Violation[];
  /** What happened when. */
  log: string[];
  /** Faults that have taken effect, by type; those of commits by kind and fate as well. */
  faults: string[];
  jobs: number;
}

/** Three hosts, their PostgreSQL server and a receiver; runs one history after the other. */
export class Fleet {
  readonly isolation: History['isolation'];
  readonly #options: FleetOptions;
  readonly #folder: string;
  readonly #server: PostgresServer;
  readonly #pool: pg.Pool;
  readonly #db: Kysely<Database>;
  readonly #hosts: readonly Host[];
  readonly #targets: Targets;
  #historyCount = 0;

  private constructor(
    options: FleetOptions,
    parts: { folder: string; server: PostgresServer; pool: pg.Pool; db: Kysely<Database>; hosts: Host[]; targets: Targets },
  ) {
    this.isolation = options.isolation;
    this.#options = options;
    this.#folder = parts.folder;
    this.#server = parts.server;
    this.#pool = parts.pool;
    this.#db = parts.db;
    this.#hosts = parts.hosts;
    this.#targets = parts.targets;
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const folder = await mkdtemp(join(tmpdir(), 'framewright-explorer-'));
    // A killed server loses nothing that the operating system has; only the machine's end would.
    const server = await createPostgresServer({ settings: ['fsync=off', 'shared_buffers=16MB', 'max_connections=60'] });
    const db = await openDatabase({ url: server.url });
    await installAudit(server.url);
    const sharedOutputs = join(folder, 'outputs');
    await mkdir(sharedOutputs);
    const shared = { isolation: options.isolation, sharedOutputs, databaseUrl: server.url, dist: options.dist, worker: options.realWorker };
    const hosts = await Promise.all(Array.from({ length: hostCount }, (_, index) => Host.create({ ...shared, index, folder: join(folder, `host-${index}`) })));
    const pool = new pg.Pool({
      connectionString: server.url,
      max: 1,
      types: { getTypeParser: (type: number) => (numericTypes.has(type) ? Number : pg.types.getTypeParser(type)) },
    });
    pool.on('error', () => {});
    const fleet = new Fleet(options, { folder, server, pool, db, hosts, targets: await Targets.start() });
    try {
      await Promise.all(hosts.map((host) => host.start()));
    } catch (error) {
      await fleet.close();
      throw error;
    }
    return fleet;
  }

  /** Runs a history, ends its faults, waits until everything has come to rest, and checks what came of it. */
  async run(history: History): Promise<Outcome> {
    const run = new HistoryRun(this.#hosts, this.#server);
    this.#historyCount += 1;
    this.#targets.clear();
    // Connections of this process may be from before a crash of the database.
    const patience = AbortSignal.timeout(restMs);
    const { accountId, live, test } = await retryWhileUnavailable(() => this.#createAccount(), patience);
    const accepted = new Map<JobStep, string>();
    const outcome = { log: run.log, faults: run.faults };
    const client = new AbortController();
    try {
      const working = history.steps.map(async (step) => {
        await pause(step.atMs);
        run.note(describeStep(step).slice(9));
        if (step.type !== 'job') return run.inject(step);
        const jobId = await this.#submit(step, step.mode === 'live' ? live : test, history.seed, client.signal);
        accepted.set(step, jobId);
        run.note(`job ${step.number} is ${jobId}`);
      });
      const submitting = Promise.all(working);
      submitting.catch(() => {});
      // Faults last as long as they say, and those of commits until they have had their chance, unless a submission or a stop waits for the end of one.
      const effective = submitting.then(() => this.#waitForCommits(run, accountId)).then(() => run.settled());
      effective.catch(() => {});
      await Promise.race([effective, pause(Math.max(...history.steps.map(({ atMs }) => atMs)) + 12_000)]);
      await run.heal();
      run.note('faults have ended');
      await this.#reconnect();
      await withTimeout(submitting, restMs, 'a submission is not accepted');
      const stuck = await this.#waitForRest(accountId);
      run.note('at rest');
      if (stuck !== undefined) return { ...outcome, jobs: accepted.size, violations: [{ rule: 'nothing is stuck', detail: stuck }] };
      const violations = await findViolations({
        client: this.#pool,
        accountId,
        credits,
        accepted,
        targets: this.#targets,
        outputsFolder: this.#outputsFolder,
        killedWorkers: run.killedWorkers,
        hostOf: (session) => run.hostOf(session),
        isDisturbed: (host) => run.isDisturbed(host),
        isReal: this.#options.realWorker !== undefined,
      });
      return { ...outcome, jobs: accepted.size, violations };
    } catch (error) {
      return {
        ...outcome,
        jobs: accepted.size,
        violations: [{ rule: 'a history runs to its end', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }],
      };
    } finally {
      client.abort();
    }
  }

  /** Creates an account with a live and a test key; each call creates another one. */
  async #createAccount(): Promise<{ accountId: string; live: string; test: string }> {
    const accounts = new AccountStore(this.#db, systemClock);
    const accountName = randomUUID();
    const limits = { requestsPerMinute: 1_000_000, concurrentJobs: 100 };
    const { key: live, accountId } = await accounts.createKey({ accountName, plan: 'enterprise', mode: 'live', credits, limits });
    const { key: test } = await accounts.createKey({ accountName, mode: 'test', credits: 0 });
    return { accountId, live, test };
  }

  /** Replaces the connection that a crash of the database may have broken. */
  async #reconnect(): Promise<void> {
    for (const deadline = performance.now() + restMs; ; await pause(100)) {
      try {
        await this.#pool.query('select 1');
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
    }
  }

  /** Checks the outputs of all histories once more. */
  async findLostOutputs(): Promise<Violation[]> {
    const violations: Violation[] = [];
    const { rows } = await this.#pool.query('select id, status, output_name, size_bytes from jobs');
    for (const row of rows) {
      await checkOutput({ outputsFolder: this.#outputsFolder }, row, (rule, detail) =>
        violations.push({ rule: `${rule}, also later`, detail: JSON.stringify(detail) }),
      );
    }
    return violations;
  }

  /** The last lines of the hosts' logs. */
  logs(): string {
    return this.#hosts.map((host, index) => `host ${index}:\n${host.log.slice(-60).join('')}`).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
    this.#targets.close();
    await this.#pool.end();
    await this.#db.destroy();
    await this.#server.remove();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #outputsFolder(): string {
    return join(this.#folder, 'outputs');
  }

  /** A client that repeats a submission, at one host after the other, until it is accepted. */
  async #submit(step: JobStep, key: string, seed: number, signal: AbortSignal): Promise<string> {
    const body = JSON.stringify(this.#scriptOf(step));
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': `${seed}-${this.#historyCount}-${step.number}` };
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      const address = this.#hosts[(step.host + attempt) % hostCount]?.address;
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(4000)]);
      const response =
        address === undefined ? undefined : await fetch(`${address}/api/render`, { method: 'POST', headers, body, signal: timeout }).catch(() => undefined);
      const text = await response?.text().catch(() => '');
      if (response?.status === 202 && text?.startsWith('{')) return (JSON.parse(text) as { job_id: string }).job_id;
      if (response !== undefined && response.status !== 202 && response.status < 500 && !retried.has(response.status))
        throw new Error(`${response.status}: ${text}`);
      await pause(100);
    }
  }

  #scriptOf(step: JobStep): object {
    const paths = targetPaths(step);
    const deliveries = {
      ...(paths.webhook !== undefined && { webhook_uri: this.#targets.urlOf(paths.webhook) }),
      ...(paths.export !== undefined && { exports: [{ type: 'webhook', endpoint: this.#targets.urlOf(paths.export) }] }),
    };
    if (this.#options.realWorker !== undefined)
      return { ...deliveries, width: 64, height: 36, fps: 10, scenes: [{ duration: 0.3, 'background-color': '#336699' }] };
    const words = [
      `ms=${step.renderMs}`,
      `planned=${step.credits}`,
      ...(step.outcome === 'complete' ? [] : [step.outcome]),
      ...(step.purchases.length > 0 ? [`buy=${step.purchases.map((price, index) => `item${index}:${price}`).join(',')}`] : []),
    ];
    return { ...deliveries, comment: words.join(' '), width: 320, height: 180, scenes: [{ duration: 2, 'background-color': '#112233' }] };
  }

  /** Resolves when all jobs and deliveries of the account have ended; with what has not, after a time. */
  async #waitForRest(accountId: string): Promise<string | undefined> {
    for (const deadline = performance.now() + restMs; ; await pause(100)) {
      const unfinished = await this.#listUnfinished(accountId);
      if (unfinished.length === 0) return undefined;
      if (performance.now() > deadline) return JSON.stringify(unfinished);
    }
  }

  /** Resolves when each fault of a commit has met one, or everything has come to rest without it. */
  async #waitForCommits(run: HistoryRun, accountId: string): Promise<void> {
    // The database may be down just now.
    while (!run.isHealed && run.armed > 0 && (await this.#listUnfinished(accountId).catch(() => [1])).length > 0) await pause(100);
  }

  /** The jobs and deliveries of the account that have not ended. */
  async #listUnfinished(accountId: string): Promise<unknown[]> {
    const jobs = await this.#pool.query(
      "select id, status, lease_owner, lease_expires_at, attempts from jobs where account_id = $1 and status in ('queued', 'processing')",
      [accountId],
    );
    const deliveries = await this.#pool.query("select * from deliveries where account_id = $1 and status in ('waiting', 'pending')", [accountId]);
    return [...jobs.rows, ...deliveries.rows];
  }
}

/** The faults of one history. */
class HistoryRun {
  readonly log: string[] = [];
  readonly faults: string[] = [];
  killedWorkers = 0;
  /** Faults of commits that wait for theirs. */
  armed = 0;
  readonly #hosts: readonly Host[];
  readonly #server: PostgresServer;
  readonly #startedAt = performance.now();
  readonly #disturbed = new Set<number>();
  readonly #running: Promise<void>[] = [];
  readonly #healing = new AbortController();
  /** Host by host, one change of its process after the other. */
  readonly #turns = new Map<number, Promise<void>>();

  constructor(hosts: readonly Host[], server: PostgresServer) {
    this.#hosts = hosts;
    this.#server = server;
  }

  note(text: string): void {
    this.log.push(`${String(Math.round(performance.now() - this.#startedAt)).padStart(6)} ms  ${text}`);
  }

  /** The host that had the session with this port of its proxy at a time; -1 if none had. */
  hostOf({ port, at }: Pick<AuditRow, 'port' | 'at'>): number {
    const connectedAt = this.#hosts.map((host) => Math.max(...(host.proxy.upstreamPorts.get(port) ?? []).filter((time) => time <= at)));
    const latest = Math.max(...connectedAt);
    return latest === Number.NEGATIVE_INFINITY ? -1 : connectedAt.indexOf(latest);
  }

  isDisturbed(host: number): boolean {
    return host < 0 || this.#disturbed.has(host);
  }

  inject(fault: FaultStep): void {
    const host = this.#hosts[fault.host];
    if (host === undefined) throw new Error(`There is no host ${fault.host}.`);
    if (fault.type === 'commit') {
      this.#arm(host, fault);
      return;
    }
    this.faults.push(fault.type);
    if (fault.type !== 'clock') this.#disturbed.add(fault.host);
    this.#running.push(this.#perform(host, fault));
  }

  get isHealed(): boolean {
    return this.#healing.signal.aborted;
  }

  /** Resolves when faults that end by themselves have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Ends all faults and waits until all hosts run again. */
  async heal(): Promise<void> {
    for (const host of this.#hosts) host.proxy.onCommit = () => 'pass';
    this.#healing.abort();
    await Promise.all(this.#running);
    for (const [index, host] of this.#hosts.entries()) {
      await host.setClock(0);
      // Ends connections whose commit is held back.
      if (!this.#disturbed.has(index)) continue;
      host.proxy.cut();
      host.proxy.restore();
    }
  }

  #arm(host: Host, { kind, fate, count, host: index }: Extract<FaultStep, { type: 'commit' }>): void {
    let left = count;
    this.armed += 1;
    const earlier = host.proxy.onCommit;
    host.proxy.onCommit = (transaction): CommitFate => {
      if (left === 0 || !commitKinds[kind].test(transaction)) return earlier(transaction);
      left -= 1;
      if (left === 0) this.armed -= 1;
      this.#disturbed.add(index);
      this.faults.push('commit', `commit ${kind} ${fate}`);
      this.note(`host ${index}: ${fate} at the commit of ${kind}`);
      if (fate !== 'freeze') return fate === 'delay' ? { delayMs: 1500 } : fate;
      this.#running.push(pause(freezeDelayMs).then(() => this.#pause(host, index, freezeMs)));
      return 'pass';
    };
  }

  #pause(host: Host, index: number, ms: number): Promise<void> {
    return this.#inTurn(index, () => {
      host.pause();
      return this.#after(ms, () => host.resume());
    });
  }

  async #perform(host: Host, fault: Exclude<FaultStep, { type: 'commit' }>): Promise<void> {
    switch (fault.type) {
      case 'cut':
        host.proxy.cut();
        return this.#after(fault.ms, () => host.proxy.restore());
      case 'drop':
        host.proxy.drop();
        return this.#after(fault.ms, () => host.proxy.restore());
      case 'latency':
        host.proxy.latencyMs = fault.delayMs;
        return this.#after(fault.ms, () => {
          host.proxy.latencyMs = 0;
        });
      case 'kill':
      case 'terminate':
        return this.#inTurn(fault.host, async () => {
          await (fault.type === 'kill' ? host.kill() : host.terminate());
          await this.#after(fault.downMs, () => host.start());
          this.note(`host ${fault.host} is up again`);
        });
      case 'pause':
        return this.#pause(host, fault.host, fault.ms);
      case 'kill-worker':
        return this.#inTurn(fault.host, async () => {
          if (host.killWorker()) this.killedWorkers += 1;
        });
      case 'clock':
        return host.setClock(fault.seconds);
      case 'database-crash':
        for (const index of this.#hosts.keys()) this.#disturbed.add(index);
        return this.#inTurn(-1, async () => {
          await this.#server.kill();
          await this.#after(fault.downMs, () => this.#server.start());
        });
    }
  }

  /** Waits for a time, or until faults end. */
  async #after(ms: number, then: () => void | Promise<void>): Promise<void> {
    await sleep(ms, undefined, { signal: this.#healing.signal }).catch(() => {});
    await then();
  }

  #inTurn(index: number, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(index) ?? Promise.resolve()).then(work);
    this.#turns.set(index, turn);
    return turn;
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  const timer = new AbortController();
  const late = pause(ms).then(() => {
    if (!timer.signal.aborted) throw new Error(message);
  });
  late.catch(() => {});
  try {
    return (await Promise.race([work, late])) as T;
  } finally {
    timer.abort();
  }
}
