import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { JobEvent, JobRelay, JobRelayReceiver } from '../../jobs/index.js';

const channel = 'framewright:job-events';

/** Relays job events between machines. Events sent while Redis is unreachable are lost, so listeners also poll the job. */
export class EventRelay implements JobRelay {
  readonly #commands: Redis;
  readonly #listening: Redis;
  /** Identifies this process's own messages. */
  readonly #name = randomUUID();

  constructor(commands: Redis, listening: Redis) {
    this.#commands = commands;
    this.#listening = listening;
  }

  send(event: JobEvent): void {
    this.#commands.publish(channel, JSON.stringify({ from: this.#name, event })).catch(() => {});
  }

  /** Listens to events of other machines. */
  listen({ onEvent, onGap }: JobRelayReceiver): void {
    this.#listening.on('message', (_channel: string, text: string) => {
      const { from, event } = JSON.parse(text) as { from: string; event: JobEvent };
      if (from !== this.#name) onEvent(event);
    });
    this.#listening.on('ready', onGap);
    this.#listening.subscribe(channel).catch(() => {});
  }
}
