import type { ServerResponse } from 'node:http';

/** A reader that lets more than this pile up is cut off; it comes back and gets the current state. */
const maxBufferedBytes = 256 * 1024;
const heartbeatMs = 15_000;

export interface EventStreamOptions {
  headers: Record<string, string | number | string[] | undefined>;
  /** The id of the last event that the reader saw, when it comes back. */
  lastEventId: number;
  onHeartbeat: () => void;
  /** Once, whoever ended it. */
  onClose: () => void;
}

/** An event as it goes over the wire but for its id, which is each reader's own. */
export function eventText(event: string, fields: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(fields)}\n\n`;
}

/** Server-sent events on one response. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #nextId: number;
  #open = true;

  constructor(response: ServerResponse, options: EventStreamOptions) {
    this.#response = response;
    this.#nextId = options.lastEventId + 1;
    response.writeHead(200, {
      ...options.headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.#heartbeat = setInterval(() => {
      this.#write(': heartbeat\n\n');
      options.onHeartbeat();
    }, heartbeatMs);
    response.once('close', () => {
      this.#open = false;
      clearInterval(this.#heartbeat);
      options.onClose();
    });
    response.on('error', () => response.destroy());
    // Bytes at once, so that proxies and readers know that the stream stands.
    this.#write(': connected\nretry: 2000\n\n');
  }

  /** The text is one of `eventText`. */
  send(text: string): void {
    this.#write(`id: ${this.#nextId}\n${text}`);
    this.#nextId += 1;
  }

  end(): void {
    if (!this.#open) return;
    this.#open = false;
    clearInterval(this.#heartbeat);
    this.#response.end();
  }

  #write(text: string): void {
    if (!this.#open) return;
    this.#response.write(text);
    if (this.#response.writableLength > maxBufferedBytes) this.#response.destroy();
  }
}
