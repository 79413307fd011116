import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { JobEvent, JobListener, JobRelay } from '../../jobs/index.js';

const channel = 'framewright:job-events';

/** Carries what happens to jobs from machine to machine. What is said while Redis is away is lost: who listens also looks at the job now and then. */
export class EventRelay implements JobRelay {
  readonly #commands: Redis;
  readonly #listening: Redis;
  /** Tells our own words from those of others. */
  readonly #name = randomUUID();

  constructor(commands: Redis, listening: Redis) {
    this.#commands = commands;
    this.#listening = listening;
  }

  send(event: JobEvent): void {
    this.#commands.publish(channel, JSON.stringify({ from: this.#name, event })).catch(() => {});
  }

  /** Of other machines. */
  listen(listener: JobListener): void {
    this.#listening.on('message', (_channel: string, text: string) => {
      const { from, event } = JSON.parse(text) as { from: string; event: JobEvent };
      if (from !== this.#name) listener(event);
    });
    this.#listening.subscribe(channel).catch(() => {});
  }
}
