import { WorkerProcess } from '../engine/child-processes/index.js';
import type { SlotTask } from './slot-task.js';
import { LeaseLostError } from './stores/job-lease-store.js';
import type { FromWorker, HostCapabilities, Observation, ToWorker } from './worker-protocol.js';

/** Logger methods that jobs use. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface SlotTiming {
  /** A render process that is rendering and sends no message for this long is killed. */
  silentMs: number;
  /** Maximum time from the start of a render process to its first `ready`. */
  startMs: number;
  /** Maximum time from the end of a job, e.g. by `cancel`, to the `ready` of its render process. */
  cancelMs: number;
  /** Delay before the first restart. */
  restartMinMs: number;
  /** Maximum delay before a restart. */
  restartMaxMs: number;
}

export interface WorkerSlotOptions {
  mode: 'live' | 'test';
  workerPath: string;
  environment: Readonly<Record<string, string>>;
  log: Log;
  timing: SlotTiming;
  /** Called when the slot accepts a task, or a job may have been requeued. */
  onIdle: () => void;
  /** Called when the process or one of its engine processes exits without having been stopped by the service. */
  onUnexpectedExit: (reason: string) => void;
  /** Called after each exit of the process, expected or not. */
  onExit: (pid: number) => Promise<void>;
  /** Called with each measurement of the process. */
  onObservation: (observation: Observation) => void;
  /** Called once per process with the host's capabilities. */
  onCapabilities?: (capabilities: HostCapabilities) => void;
}

type RenderProcess = WorkerProcess<ToWorker, FromWorker>;
type Session = Extract<Observation, { kind: 'encoder-session' }>;

/** Supervises one render process: starts it, restarts it with increasing delays, sends it one job at a time and handles its messages. */
export class WorkerSlot {
  readonly mode: WorkerSlotOptions['mode'];
  readonly #options: WorkerSlotOptions;
  #process: RenderProcess | undefined;
  /** The process that received the last `describe` message. */
  #describedProcess: RenderProcess | undefined;
  #state: 'down' | 'starting' | 'idle' | 'busy' = 'down';
  #task: SlotTask | undefined;
  /**
   * Whether the process has sent a message about the current task. A process that dies while idle may be assigned a task before its exit
   * is noticed; that attempt does not count.
   */
  #hasTaskStarted = false;
  /** Whether the process has received a job and not reported its end. It sends heartbeats meanwhile. */
  #isRendering = false;
  /** Exits of the process since the last finished job. */
  #failureCount = 0;
  /** Open encoder sessions of the process, which a dying process does not report as closed. */
  readonly #sessions: Session[] = [];
  #restart: NodeJS.Timeout | undefined;
  #isClosing = false;
  /** Resolves when the last process has exited and the handling of its exit is enqueued. */
  #exited: Promise<void> = Promise.resolve();
  /** Resolves when all enqueued steps are done. Steps run one after the other: a settlement ends before the completion that follows it. */
  #queue: Promise<void> = Promise.resolve();

  constructor(options: WorkerSlotOptions) {
    this.mode = options.mode;
    this.#options = options;
  }

  /** Whether the slot accepts a task. */
  get isIdle(): boolean {
    return this.#state === 'idle' && !this.#isClosing;
  }

  /** Whether no process runs and none is scheduled to start. */
  get isDown(): boolean {
    return this.#state === 'down' && this.#restart === undefined && !this.#isClosing;
  }

  /** Whether the process has started and is alive. */
  get isRunning(): boolean {
    return this.#state === 'idle' || this.#state === 'busy';
  }

  /** Lease owner id of the current task. */
  get leaseOwner(): string | undefined {
    return this.#task?.leaseOwner;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    this.#restart = undefined;
    if (this.#isClosing) return;
    this.#state = 'starting';
    const child: RenderProcess = new WorkerProcess<ToWorker, FromWorker>({
      scriptPath: this.#options.workerPath,
      environment: this.#options.environment,
      heartbeatTimeoutMs: this.#options.timing.silentMs,
      isBusy: () => this.#isRendering,
      onMessage: (message) => this.#noteMessage(message),
      onLoss: ({ reason, detail }) => {
        if (reason === 'hang') this.#logHang(child.pid, detail);
      },
    });
    child.setDeadline(this.#options.timing.startMs, { reason: 'hang', detail: 'did not start in time' });
    this.#process = child;
    this.#exited = child.exited.then(({ status }) => this.#enqueue(() => this.#handleExit(status)));
  }

  #noteMessage(message: FromWorker): void {
    if ('jobId' in message && message.jobId === this.#task?.job.jobId) {
      this.#hasTaskStarted = true;
      if (message.type === 'completed' || message.type === 'failed' || message.type === 'interrupted') this.#isRendering = false;
    }
    this.#enqueue(() => this.#receive(message));
  }

  #logHang(pid: number | undefined, detail: string): void {
    this.#options.log.error({ pid, job_id: this.#task?.job.jobId, state: this.#state, reason: detail }, 'a render process hangs and is killed');
  }

  assign(task: SlotTask): void {
    this.#task = task;
    this.#hasTaskStarted = false;
    this.#state = 'busy';
    this.#enqueue(() => this.#sendJob(task));
  }

  /** Prepares the task, which may download its inputs, and sends it to the process. */
  async #sendJob(task: SlotTask): Promise<void> {
    try {
      const job = await task.prepareJob();
      if (this.#task !== task) return;
      if (job !== undefined && !this.#isClosing) {
        this.#isRendering = true;
        this.#process?.noteMessage();
        return this.#process?.send({ type: 'render', job });
      }
      await this.#finish(task, () => task.release());
    } catch (error) {
      this.#options.log.warn({ err: error, job_id: task.job.jobId }, 'failed to prepare a job; requeueing');
      await this.#finish(task, () => task.release());
    }
    if (this.#task !== task) return;
    this.#task = undefined;
    this.#becomeIdle();
  }

  /** Accepts no further tasks and lets the current one finish. Resolves when the process has exited. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    if (this.#state === 'starting') this.#process?.kill();
    else this.#process?.send({ type: 'drain' });
    await this.#exited;
    await this.#queue;
  }

  /** Requeues the current task and kills the process. Resolves when both are done. */
  async stopNow(): Promise<void> {
    this.#isClosing = true;
    this.#task?.stopRetrying();
    this.#enqueue(async () => {
      const task = this.#task;
      this.#task = undefined;
      this.#process?.kill();
      if (task !== undefined) await this.#finish(task, () => task.release());
    });
    await this.#queue;
    await this.#exited;
    await this.#queue;
  }

  #enqueue(step: () => Promise<void>): void {
    this.#queue = this.#queue.then(step).catch((error: unknown) => this.#recover(error));
  }

  async #recover(error: unknown): Promise<void> {
    const task = this.#task;
    const fields = { err: error, pid: this.pid, job_id: task?.job.jobId };
    if (error instanceof LeaseLostError && task !== undefined) {
      this.#options.log.warn(fields, 'the lease of a job is lost; its render is cancelled');
      this.#cancel(task);
      await task.discard().catch((err: unknown) => this.#options.log.error({ ...fields, err }, 'failed to discard an attempt'));
      return;
    }
    // After any other error, such as a full disk, the task cannot continue: killing the process ends it.
    this.#options.log.error(fields, 'failed to process a message of a render process');
    this.#process?.kill();
  }

  async #receive(message: FromWorker): Promise<void> {
    if (message.type === 'ready') return this.#becomeIdle();
    if (message.type === 'ability') return this.#options.onCapabilities?.(message.ability);
    if (message.type === 'observed') return this.#observe(message.observation);
    const task = this.#task;
    if (task === undefined || task.job.jobId !== message.jobId) return;
    switch (message.type) {
      case 'alive':
      case 'progress':
        return task.updateProgress(message);
      case 'reserve':
        return this.#proceed(task, message, await task.reserve(message.credits, message.purchases));
      case 'bought':
        await task.recordPurchase(message.purchase);
        return this.#proceed(task, message, true);
      case 'planned':
        return this.#proceed(task, message, await task.settle(message.credits));
      case 'completed':
        await task.complete(message);
        this.#failureCount = 0;
        return this.#clearTask(task);
      case 'interrupted':
        return this.#interrupt(task, message);
      case 'failed':
        this.#options.log.warn({ job_id: message.jobId, account_id: task.job.accountId, code: message.code, reason: message.message }, 'a job failed');
        await task.fail({ code: message.code, message: message.message }, message.encoder);
        this.#failureCount = 0;
        return this.#clearTask(task);
    }
  }

  async #interrupt(task: SlotTask, { loss: exitReason, message }: Extract<FromWorker, { type: 'interrupted' }>): Promise<void> {
    this.#options.log.error({ pid: this.pid, reason: message, job_id: task.job.jobId }, 'an engine process stopped');
    this.#options.onUnexpectedExit(`engine ${exitReason}`);
    await task.interrupt(message);
    this.#failureCount = 0;
    this.#clearTask(task);
    // The task may be queued again.
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

  #proceed(task: SlotTask, { jobId, request }: { jobId: string; request: number }, mayProceed: boolean): void {
    if (mayProceed) {
      this.#process?.send({ type: 'proceed', jobId, request });
      return;
    }
    this.#cancel(task);
    this.#options.log.warn(
      { job_id: jobId, account_id: task.job.accountId },
      'a job failed: the balance or a limit of provider services does not allow its plan',
    );
  }

  /** Cancels the render; the process is killed if it does not send `ready` within `cancelMs`. */
  #cancel(task: SlotTask): void {
    this.#process?.send({ type: 'cancel', jobId: task.job.jobId });
    this.#clearTask(task);
  }

  /** Clears the current task after it has ended; the process sends `ready` when it accepts the next one. */
  #clearTask(task: SlotTask): void {
    if (this.#task === task) this.#task = undefined;
    this.#isRendering = false;
    this.#process?.setDeadline(this.#options.timing.cancelMs, { reason: 'hang', detail: 'did not become ready in time after its job ended' });
  }

  #becomeIdle(): void {
    if (this.#task !== undefined) {
      this.#options.log.error({ pid: this.pid, job_id: this.#task.job.jobId }, 'a render process sent `ready` before the end of its job');
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
    const task = this.#task;
    const hasTaskStarted = this.#hasTaskStarted;
    const pid = this.pid;
    this.#task = undefined;
    this.#process = undefined;
    this.#isRendering = false;
    this.#state = 'down';
    for (const session of this.#sessions.splice(0)) this.#options.onObservation({ ...session, open: false });
    if (!this.#isClosing) {
      this.#options.log.error({ pid, reason, job_id: task?.job.jobId }, 'a render process stopped');
      this.#options.onUnexpectedExit(reason);
      this.#scheduleRestart();
    }
    if (task !== undefined) await this.#finish(task, () => (hasTaskStarted ? task.interrupt() : task.requeue()));
    if (pid !== undefined) await this.#options.onExit(pid);
  }

  /** Ends a task by `end`; discards it if that fails. */
  async #finish(task: SlotTask, end: () => Promise<void>): Promise<void> {
    if (task.hasEnded) return;
    try {
      await end();
    } catch (error) {
      this.#options.log.error({ err: error, job_id: task.job.jobId }, 'failed to persist the job outcome; requeueing');
      await task.discard();
    }
    this.#options.onIdle();
  }

  /** Restarts the process after `restartMinMs`; each further exit without a finished job in between doubles the delay, up to `restartMaxMs`. */
  #scheduleRestart(): void {
    const { restartMinMs, restartMaxMs } = this.#options.timing;
    const delayMs = Math.min(restartMaxMs, restartMinMs * 2 ** Math.min(this.#failureCount, 20));
    this.#failureCount += 1;
    this.#restart = setTimeout(() => this.start(), delayMs);
  }
}
