import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Maximum bytes of a message; PostgreSQL refuses 8,000. */
const maxMessageBytes = 7999;

/** Receives what other processes send. */
export interface NotificationReceiver {
  onMessage(message: string): void;
  /** Messages may have been missed: called whenever the connection is made. */
  onConnected(): void;
}

/** Delays between attempts to connect (ms). */
const minDelayMs = 50;
const maxDelayMs = 2000;
/** A connection that does not answer for this long is replaced (ms). */
const timeoutMs = 3000;
/** How often an idle connection is checked: a host that vanished closes nothing (ms). */
const checkMs = 10_000;
const channel = 'framewright';
/** One statement for any number of messages. It writes nothing to disk. */
const sendText = 'select pg_notify($1, message) from unnest($2::text[]) as message';

/**
 * Messages between the processes of one PostgreSQL database (LISTEN and NOTIFY) on a connection of its own, which is made again when it is
 * lost. Messages are hints: what is sent while there is no connection is lost, so receivers also poll.
 */
export class Notifications {
  readonly #url: string;
  readonly #log: { warn(fields: object, text: string): void; info(fields: object, text: string): void };
  #client: pg.Client | undefined;
  #receiver: NotificationReceiver | undefined;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(url: string, log: { warn(fields: object, text: string): void; info(fields: object, text: string): void }) {
    this.#url = url;
    this.#log = log;
  }

  /** Starts listening in the background; messages of this process are not received. */
  listen(receiver: NotificationReceiver): void {
    this.#receiver = receiver;
    this.#running ??= this.#run();
  }

  /** Sends messages of less than 8,000 bytes each; longer ones are left out. Resolves when they are sent or lost. */
  async send(all: readonly string[]): Promise<void> {
    const messages = all.filter((message) => Buffer.byteLength(message) <= maxMessageBytes);
    await this.#client?.query(timed(sendText, [channel, messages])).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => {});
    await this.#running;
  }

  async #run(): Promise<void> {
    let delayMs = minDelayMs;
    let isLost = false;
    while (!this.#closing.signal.aborted) {
      const error = await this.#session(() => {
        if (isLost) this.#log.info({}, 'notifications of the database arrive again');
        isLost = false;
        delayMs = minDelayMs;
      });
      if (this.#closing.signal.aborted) return;
      if (!isLost) this.#log.warn({ err: error }, 'no notifications from the database: polling until the connection is back');
      isLost = true;
      await sleep(delayMs, undefined, { signal: this.#closing.signal }).catch(() => {});
      delayMs = Math.min(maxDelayMs, delayMs * 2);
    }
  }

  /** Connects and listens until the connection is lost; returns why. */
  async #session(onConnected: () => void): Promise<unknown> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'framewright notifications',
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
    });
    let check: NodeJS.Timeout | undefined;
    try {
      const lost = new Promise<unknown>((resolve) => client.once('error', resolve).once('end', () => resolve(new Error('The connection was closed.'))));
      client.on('error', () => {});
      client.on('notification', ({ payload, processId }) => {
        if (payload !== undefined && processId !== ownProcessId(client)) this.#receiver?.onMessage(payload);
      });
      await client.connect();
      await client.query(timed(`listen ${channel}`));
      if (this.#closing.signal.aborted) return undefined;
      this.#client = client;
      onConnected();
      this.#receiver?.onConnected();
      const unanswered = new Promise<unknown>((resolve) => {
        check = setInterval(() => void client.query(timed('select 1')).catch(resolve), checkMs);
      });
      return await Promise.race([lost, unanswered]);
    } catch (error) {
      return error;
    } finally {
      clearInterval(check);
      this.#client = undefined;
      // With a query in progress this closes the socket at once.
      void client.end().catch(() => {});
    }
  }
}

function timed(text: string, values: unknown[] = []): pg.QueryConfig {
  return Object.assign({ text, values }, { query_timeout: timeoutMs });
}

/** Process id of the server's end, which the types of pg lack. */
function ownProcessId(client: pg.Client): number | undefined {
  return (client as unknown as { processID?: number }).processID;
}
