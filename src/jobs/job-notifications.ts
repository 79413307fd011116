import type { Notifications } from '../db/index.js';
import type { JobEvent, JobRelay, JobRelayReceiver } from './job-events.js';

type ProgressEvent = Extract<JobEvent, { type: 'progress' }>;

/** What one message reports. */
interface Message {
  /** Jobs were queued. */
  queued?: true;
  /** Number of tasks that are ready for hosts that share movies. */
  tasks?: number;
  /** Ids of jobs that have ended. A job itself may be larger than a message. */
  ended?: string[];
  progress?: ProgressEvent[];
}

/** Interval at which progress is sent; a later event of a job replaces one that is waiting (ms). */
const progressMs = 100;
/** Items per message: 30 events of at most 250 bytes stay below PostgreSQL's limit of 8,000 bytes. */
const maxItems = 30;
/** Longer stages, which no render reports, are cut. */
const maxStageLength = 100;

/**
 * Wakes the workers of all hosts when a job is queued, and relays events of jobs, over the notifications of the database.
 * Both are hints: what is lost is found by polling.
 */
export class JobNotifications implements JobRelay {
  readonly #notifications: Pick<Notifications, 'listen' | 'send' | 'close'>;
  #receiver: JobRelayReceiver | undefined;
  #isQueued = false;
  #taskCount = 0;
  #ended = new Set<string>();
  readonly #progress = new Map<string, ProgressEvent>();
  #isSending = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(notifications: Pick<Notifications, 'listen' | 'send' | 'close'>) {
    this.#notifications = notifications;
  }

  /**
   * Begins to receive. `onQueued` is called when another process has queued a job, or may have; `onTasks` with the number of tasks that are ready
   * for hosts that share movies. Without it they count as queued jobs.
   */
  start(onQueued: () => void, onTasks: (count: number) => void = onQueued): void {
    this.#notifications.listen({
      onMessage: (text) => {
        const { queued, tasks, ended = [], progress = [] } = JSON.parse(text) as Message;
        if (queued) onQueued();
        if (tasks !== undefined) onTasks(tasks);
        for (const event of progress) this.#receiver?.onEvent(event);
        for (const jobId of ended) this.#receiver?.onEnded(jobId);
      },
      onConnected: () => {
        onQueued();
        this.#receiver?.onGap();
        // What this process queued without a connection was not announced.
        this.announceQueued();
      },
    });
  }

  listen(receiver: JobRelayReceiver): void {
    this.#receiver = receiver;
  }

  /** Wakes the workers of other processes. */
  announceQueued(): void {
    this.#isQueued = true;
    this.#sendNow();
  }

  /** Wakes hosts that share movies. */
  announceTasks(count: number): void {
    this.#taskCount += count;
    this.#sendNow();
  }

  send(event: JobEvent): void {
    if (event.type !== 'progress') {
      this.#progress.delete(event.jobId);
      this.#ended.add(event.jobId);
      this.#sendNow();
      return;
    }
    this.#progress.set(event.jobId, { ...event, stage: event.stage.slice(0, maxStageLength) });
    // A job that went back to the queue.
    if (event.stage === 'queued') this.announceQueued();
    this.#timer ??= setTimeout(() => this.#sendNow(), progressMs);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sendAll();
    await this.#notifications.close();
  }

  /** What is reported in the same event loop iteration, or while a message is on its way, is sent together. */
  #sendNow(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => {
      void this.#sendAll().finally(() => {
        this.#isSending = false;
        if (this.#isQueued || this.#taskCount > 0 || this.#ended.size > 0) this.#sendNow();
      });
    });
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [ended, progress] = [[...this.#ended], [...this.#progress.values()]];
    const messages: Message[] = this.#isQueued ? [{ queued: true }] : [];
    if (this.#taskCount > 0) messages.push({ tasks: this.#taskCount });
    for (let from = 0; from < ended.length; from += maxItems) messages.push({ ended: ended.slice(from, from + maxItems) });
    for (let from = 0; from < progress.length; from += maxItems) messages.push({ progress: progress.slice(from, from + maxItems) });
    this.#isQueued = false;
    this.#taskCount = 0;
    this.#ended = new Set();
    this.#progress.clear();
    if (messages.length > 0) await this.#notifications.send(messages.map((message) => JSON.stringify(message)));
  }
}
