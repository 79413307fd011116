import type { Job } from './job.js';

/** Something that happened to a job. `complete` and `error` are the last one of their job. */
export type JobEvent =
  | { type: 'progress'; jobId: string; progress: number; stage: string; timestamp: string }
  /** `encoder` is known to the process in whose care the job ended. */
  | { type: 'complete'; jobId: string; job: Job; encoder?: string }
  | { type: 'error'; jobId: string; job: Job };

export type JobListener = (event: JobEvent) => void;

/** To other machines and from them. */
export interface JobRelay {
  send(event: JobEvent): void;
  listen(listener: JobListener): void;
}

/** Tells the listeners in this process what happens to jobs. Nothing is kept: late listeners read the job first. */
export class JobEvents {
  readonly #listeners = new Map<string, Set<JobListener>>();
  readonly #everyJob = new Set<JobListener>();
  readonly #relay: JobRelay | undefined;

  constructor(relay?: JobRelay) {
    this.#relay = relay;
    relay?.listen((event) => this.#tellFollowers(event));
  }

  /** Returns the function that ends the subscription. */
  subscribe(jobId: string, listener: JobListener): () => void {
    const listeners = this.#listeners.get(jobId) ?? new Set();
    this.#listeners.set(jobId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(jobId) === listeners) this.#listeners.delete(jobId);
    };
  }

  /** To all that happens in the care of this process. */
  subscribeToAll(listener: JobListener): () => void {
    this.#everyJob.add(listener);
    return () => this.#everyJob.delete(listener);
  }

  publish(event: JobEvent): void {
    this.#tellFollowers(event);
    for (const listener of [...this.#everyJob]) listener(event);
    this.#relay?.send(event);
  }

  #tellFollowers(event: JobEvent): void {
    for (const listener of [...(this.#listeners.get(event.jobId) ?? [])]) listener(event);
  }
}
