import type { Job } from './job.js';

/** An event of a job. `complete` and `error` are final. */
export type JobEvent =
  | { type: 'progress'; jobId: string; progress: number; stage: string; timestamp: string }
  /** `encoder` is set only in the process that completed the job. */
  | { type: 'complete'; jobId: string; job: Job; encoder?: string }
  | { type: 'error'; jobId: string; job: Job };

/** Receives events synchronously. */
export type JobListener = (event: JobEvent) => void;

/** Receives events of other processes. */
export interface JobRelayReceiver {
  onEvent: JobListener;
  /** A job has ended; its state is in the database. */
  onEnded(jobId: string): void;
  /** Events may have been missed. */
  onGap(): void;
}

/** Relays events between processes and machines. Events may be lost on the way. */
export interface JobRelay {
  send(event: JobEvent): void;
  listen(receiver: JobRelayReceiver): void;
}

/** Finds a job by its id. */
export type ReadJob = (jobId: string) => Promise<Job | undefined>;

/** Publishes job events to listeners in this process and to other machines. Events are not stored: a late listener reads the job first. */
export class JobEvents {
  readonly #listeners = new Map<string, Set<JobListener>>();
  readonly #globalListeners = new Set<JobListener>();
  readonly #relay: JobRelay | undefined;
  readonly #readJob: ReadJob;

  /** `readJob` is needed for a relay that says only that a job has ended. */
  constructor(relay?: JobRelay, readJob: ReadJob = async () => undefined) {
    this.#relay = relay;
    this.#readJob = readJob;
    relay?.listen({
      onEvent: (event) => this.#notifySubscribers(event),
      onEnded: (jobId) => void this.#reportEnd(jobId),
      onGap: () => {
        for (const jobId of this.#listeners.keys()) void this.#reportEnd(jobId);
      },
    });
  }

  /** Subscribes to one job, also when another machine renders it. Returns the function that unsubscribes. */
  subscribe(jobId: string, listener: JobListener): () => void {
    const listeners = this.#listeners.get(jobId) ?? new Set();
    this.#listeners.set(jobId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(jobId) === listeners) this.#listeners.delete(jobId);
    };
  }

  /** Subscribes to all events published by this process. Returns the function that unsubscribes. */
  subscribeToAll(listener: JobListener): () => void {
    this.#globalListeners.add(listener);
    return () => this.#globalListeners.delete(listener);
  }

  publish(event: JobEvent): void {
    this.#notifySubscribers(event);
    for (const listener of [...this.#globalListeners]) listener(event);
    this.#relay?.send(event);
  }

  #notifySubscribers(event: JobEvent): void {
    for (const listener of [...(this.#listeners.get(event.jobId) ?? [])]) listener(event);
  }

  /** Reads a job that has subscribers and reports its end. Streams read their job from time to time as well, if this fails. */
  async #reportEnd(jobId: string): Promise<void> {
    if (!this.#listeners.has(jobId)) return;
    const job = await this.#readJob(jobId).catch(() => undefined);
    if (job?.status === 'completed') this.#notifySubscribers({ type: 'complete', jobId, job });
    else if (job?.status === 'failed') this.#notifySubscribers({ type: 'error', jobId, job });
  }
}
