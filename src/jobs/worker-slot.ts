import { WorkerProcess } from '../engine/child-processes/index.js';
import type { SlotTask } from './slot-task.js';
import { LeaseLostError } from './stores/job-lease-store.js';
import type { FromWorker, HostCapabilities, Observation, ToWorker } from './worker-protocol.js';

/** The part of a logger that is needed here. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface SlotTiming {
  /** A render process that says nothing for so long is killed. */
  silentMs: number;
  /** How long a render process may take from its start to `ready`. */
  startMs: number;
  /** How long one may go on with a job that has ended, e.g. after `cancel`. */
  cancelMs: number;
  restartMinMs: number;
  restartMaxMs: number;
}

export interface WorkerSlotOptions {
  mode: 'live' | 'test';
  workerPath: string;
  environment: Readonly<Record<string, string>>;
  log: Log;
  timing: SlotTiming;
  onIdle: () => void;
  /** The process stopped unasked. */
  onUnexpectedExit: (reason: string) => void;
  /** The process is no more, asked or unasked. */
  onExit: (pid: number) => Promise<void>;
  onObservation: (observation: Observation) => void;
  /** Called once per process with the host's capabilities. */
  onCapabilities?: (ability: HostCapabilities) => void;
}

type RenderProcess = WorkerProcess<ToWorker, FromWorker>;
type Session = Extract<Observation, { kind: 'encoder-session' }>;

/** A place for one render process: starts it, restarts it with growing pauses, and speaks with it about one job at a time. */
export class WorkerSlot {
  readonly mode: WorkerSlotOptions['mode'];
  readonly #options: WorkerSlotOptions;
  #process: RenderProcess | undefined;
  /** The process that was asked what it can do. */
  #describedProcess: RenderProcess | undefined;
  #state: 'down' | 'starting' | 'idle' | 'busy' = 'down';
  #task: SlotTask | undefined;
  /** Its process has spoken of the job in hand: one that is killed while it is idle may be given a job before its end is known. */
  #hasBegun = false;
  /** The job was sent, and its process has not reported its end: it sends heartbeats. */
  #isRendering = false;
  #failures = 0;
  /** Its process's open encoders: one that dies does not say that it closes them. */
  readonly #sessions: Session[] = [];
  #restart: NodeJS.Timeout | undefined;
  #closing = false;
  /** Resolves when the end of the last process is enqueued. */
  #exited: Promise<void> = Promise.resolve();
  /** Messages are worked off one after the other: a settlement is done before the completion that follows it. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: WorkerSlotOptions) {
    this.mode = parts.mode;
    this.#options = parts;
  }

  get idle(): boolean {
    return this.#state === 'idle' && !this.#closing;
  }

  get down(): boolean {
    return this.#state === 'down' && this.#restart === undefined && !this.#closing;
  }

  /** Its process has started and lives. */
  get started(): boolean {
    return this.#state === 'idle' || this.#state === 'busy';
  }

  get busy(): boolean {
    return this.#task !== undefined;
  }

  /** Of the job in hand. */
  get leaseOwner(): string | undefined {
    return this.#task?.leaseOwner;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    this.#restart = undefined;
    if (this.#closing) return;
    this.#state = 'starting';
    const started: RenderProcess = new WorkerProcess<ToWorker, FromWorker>({
      scriptPath: this.#options.workerPath,
      environment: this.#options.environment,
      heartbeatTimeoutMs: this.#options.timing.silentMs,
      isBusy: () => this.#isRendering,
      onMessage: (message) => this.#noteMessage(message),
      onLoss: ({ reason, detail }) => {
        if (reason === 'hang') this.#logHang(started.pid, detail);
      },
    });
    started.setDeadline(this.#options.timing.startMs, { reason: 'hang', detail: 'did not start in time' });
    this.#process = started;
    this.#exited = started.exited.then(({ status }) => this.#enqueue(() => this.#handleExit(status)));
  }

  #noteMessage(message: FromWorker): void {
    if ('jobId' in message && message.jobId === this.#task?.job.jobId) {
      this.#hasBegun = true;
      if (message.type === 'completed' || message.type === 'failed' || message.type === 'interrupted') this.#isRendering = false;
    }
    this.#enqueue(() => this.#receive(message));
  }

  #logHang(pid: number | undefined, detail: string): void {
    this.#options.log.error({ pid, job_id: this.#task?.job.jobId, state: this.#state, reason: detail }, 'a render process hangs and is killed');
  }

  assign(attempt: SlotTask): void {
    this.#task = attempt;
    this.#hasBegun = false;
    this.#state = 'busy';
    this.#enqueue(() => this.#sendJob(attempt));
  }

  /** What it takes may have to come from elsewhere first. */
  async #sendJob(attempt: SlotTask): Promise<void> {
    try {
      const job = await attempt.prepareJob();
      if (this.#task !== attempt) return;
      if (job !== undefined && !this.#closing) {
        this.#isRendering = true;
        this.#process?.noteMessage();
        return this.#process?.send({ type: 'render', job });
      }
      await this.#finish(attempt, () => attempt.release());
    } catch (error) {
      this.#options.log.warn({ err: error, job_id: attempt.job.jobId }, 'failed to prepare a job; requeueing');
      await this.#finish(attempt, () => attempt.release());
    }
    if (this.#task !== attempt) return;
    this.#task = undefined;
    this.#becomeIdle();
  }

  /** No further jobs; the one in hand may end. Resolves when the process is gone. */
  async drain(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    if (this.#state === 'starting') this.#process?.kill();
    else this.#process?.send({ type: 'drain' });
    await this.#exited;
    await this.#work;
  }

  /** Gives the job in hand back to the queue and ends the process. */
  async stopNow(): Promise<void> {
    this.#closing = true;
    this.#task?.stopRetrying();
    this.#enqueue(async () => {
      const attempt = this.#task;
      this.#task = undefined;
      this.#process?.kill();
      if (attempt !== undefined) await this.#finish(attempt, () => attempt.release());
    });
    await this.#work;
    await this.#exited;
    await this.#work;
  }

  #enqueue(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => this.#recover(error));
  }

  async #recover(error: unknown): Promise<void> {
    const attempt = this.#task;
    const fields = { err: error, pid: this.pid, job_id: attempt?.job.jobId };
    if (error instanceof LeaseLostError && attempt !== undefined) {
      this.#options.log.warn(fields, 'the lease of a job is lost; its render is cancelled');
      this.#cancel(attempt);
      await attempt.discard().catch((err: unknown) => this.#options.log.error({ ...fields, err }, 'failed to discard an attempt'));
      return;
    }
    // After any other error, such as a full disk, the attempt cannot continue: killing the process ends it.
    this.#options.log.error(fields, 'failed to process a message of a render process');
    this.#process?.kill();
  }

  async #receive(message: FromWorker): Promise<void> {
    if (message.type === 'ready') return this.#becomeIdle();
    if (message.type === 'ability') return this.#options.onCapabilities?.(message.ability);
    if (message.type === 'observed') return this.#observe(message.observation);
    const attempt = this.#task;
    if (attempt === undefined || attempt.job.jobId !== message.jobId) return;
    switch (message.type) {
      case 'alive':
      case 'progress':
        return attempt.updateProgress(message);
      case 'reserve':
        return this.#proceed(attempt, message, await attempt.reserve(message.credits, message.purchases));
      case 'bought':
        await attempt.recordPurchase(message.purchase);
        return this.#proceed(attempt, message, true);
      case 'planned':
        return this.#proceed(attempt, message, await attempt.settle(message.credits));
      case 'completed':
        await attempt.complete(message);
        this.#failures = 0;
        return this.#clearTask(attempt);
      case 'interrupted':
        return this.#interrupt(attempt, message);
      case 'failed':
        this.#options.log.warn({ job_id: message.jobId, account_id: attempt.job.accountId, code: message.code, reason: message.message }, 'a job failed');
        await attempt.fail({ code: message.code, message: message.message }, message.encoder);
        this.#failures = 0;
        return this.#clearTask(attempt);
    }
  }

  async #interrupt(attempt: SlotTask, { loss, message }: Extract<FromWorker, { type: 'interrupted' }>): Promise<void> {
    this.#options.log.error({ pid: this.pid, reason: message, job_id: attempt.job.jobId }, 'an engine process stopped');
    this.#options.onUnexpectedExit(`engine ${loss}`);
    await attempt.interrupt(message);
    this.#failures = 0;
    this.#clearTask(attempt);
    // It may be queued again.
    this.#options.onIdle();
  }

  #observe(observation: Observation): void {
    if (observation.kind === 'encoder-session') this.#countSession(observation);
    this.#options.onObservation(observation);
  }

  #countSession(observation: Session): void {
    if (observation.open) this.#sessions.push(observation);
    else {
      const index = this.#sessions.findIndex(({ encoder, gpu }) => encoder === observation.encoder && gpu === observation.gpu);
      if (index >= 0) this.#sessions.splice(index, 1);
    }
  }

  #proceed(attempt: SlotTask, { jobId, request }: { jobId: string; request: number }, mayProceed: boolean): void {
    if (mayProceed) {
      this.#process?.send({ type: 'proceed', jobId, request });
      return;
    }
    this.#cancel(attempt);
    this.#options.log.warn(
      { job_id: jobId, account_id: attempt.job.accountId },
      'a job failed: the balance or a limit of provider services does not allow its plan',
    );
  }

  /** Makes the process stop rendering; it is killed if it does not say `ready` in time. */
  #cancel(attempt: SlotTask): void {
    this.#process?.send({ type: 'cancel', jobId: attempt.job.jobId });
    this.#clearTask(attempt);
  }

  /** The job is over; the process says `ready` when it is. */
  #clearTask(attempt: SlotTask): void {
    if (this.#task === attempt) this.#task = undefined;
    this.#isRendering = false;
    this.#process?.setDeadline(this.#options.timing.cancelMs, { reason: 'hang', detail: 'did not finish a job that has ended in time' });
  }

  #becomeIdle(): void {
    if (this.#task !== undefined) {
      this.#options.log.error({ pid: this.pid, job_id: this.#task.job.jobId }, 'a render process forgot its job');
      this.#process?.kill();
      return;
    }
    this.#state = 'idle';
    this.#process?.clearDeadline();
    this.#requestCapabilities();
    this.#options.onIdle();
  }

  #requestCapabilities(): void {
    if (this.#options.onCapabilities === undefined || this.#describedProcess === this.#process) return;
    this.#describedProcess = this.#process;
    this.#process?.send({ type: 'describe' });
  }

  async #handleExit(reason: string): Promise<void> {
    const attempt = this.#task;
    const begun = this.#hasBegun;
    const pid = this.pid;
    this.#task = undefined;
    this.#process = undefined;
    this.#isRendering = false;
    this.#state = 'down';
    for (const session of this.#sessions.splice(0)) this.#options.onObservation({ ...session, open: false });
    if (!this.#closing) {
      this.#options.log.error({ pid, reason, job_id: attempt?.job.jobId }, 'a render process stopped');
      this.#options.onUnexpectedExit(reason);
      this.#scheduleRestart();
    }
    if (attempt !== undefined) await this.#finish(attempt, () => (begun ? attempt.interrupt() : attempt.requeue()));
    if (pid !== undefined) await this.#options.onExit(pid);
  }

  async #finish(attempt: SlotTask, end: () => Promise<void>): Promise<void> {
    if (attempt.hasEnded) return;
    try {
      await end();
    } catch (error) {
      this.#options.log.error({ err: error, job_id: attempt.job.jobId }, 'failed to persist the job outcome; requeueing');
      await attempt.discard();
    }
    this.#options.onIdle();
  }

  /** The first restart comes at once; each further failure without a job done between doubles the pause. */
  #scheduleRestart(): void {
    const { restartMinMs, restartMaxMs } = this.#options.timing;
    const pauseMs = Math.min(restartMaxMs, restartMinMs * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    this.#restart = setTimeout(() => this.start(), pauseMs);
  }
}
