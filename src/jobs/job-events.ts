import type { Job } from './job.js';

/** An event of a job. `complete` and `error` are final. */
export type JobEvent =
  | { type: 'progress'; jobId: string; progress: number; stage: string; timestamp: string }
  /** `encoder` is set only in the process that completed the job. */
  | { type: 'complete'; jobId: string; job: Job; encoder?: string }
  | { type: 'error'; jobId: string; job: Job };

/** Receives events synchronously. */
export type JobListener = (event: JobEvent) => void;

/** Relays events between machines. */
export interface JobRelay {
  send(event: JobEvent): void;
  listen(listener: JobListener): void;
}

/** Publishes job events to listeners in this process and to other machines. Events are not stored: a late listener reads the job first. */
export class JobEvents {
  readonly #listeners = new Map<string, Set<JobListener>>();
  readonly #globalListeners = new Set<JobListener>();
  readonly #relay: JobRelay | undefined;

  constructor(relay?: JobRelay) {
    this.#relay = relay;
    relay?.listen((event) => this.#notifySubscribers(event));
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
}
