import type { ServerResponse } from 'node:http';

/** A client that falls further behind is disconnected; when it reconnects it receives the current state. */
const maxBufferedBytes = 256 * 1024;
const heartbeatMs = 15_000;

export interface EventStreamOptions {
  headers: Record<string, string | number | string[] | undefined>;
  /** Id of the last event that the client received before it reconnected; 0 for a new client. */
  lastEventId: number;
  onHeartbeat: () => void;
  /** Called once when the stream ends, whichever side ends it. */
  onClose: () => void;
}

/** Ids of final events are at least this, which distinguishes them when a client reconnects. */
const firstFinalId = 1_000_000_000_000;

/** Whether a client with this Last-Event-ID has seen the last event of its stream. */
export function isFinalId(lastEventId: number): boolean {
  return lastEventId >= firstFinalId;
}

/** Formats a server-sent event without its id, which differs between clients. */
export function formatEvent(event: string, fields: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(fields)}\n\n`;
}

/** Server-sent events on one response. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #nextId: number;
  #isOpen = true;

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
      this.#isOpen = false;
      clearInterval(this.#heartbeat);
      options.onClose();
    });
    response.on('error', () => response.destroy());
    // Immediate bytes make proxies and clients treat the stream as established.
    this.#write(': connected\nretry: 2000\n\n');
  }

  /** Sends an event formatted by `formatEvent`. Ignored after `end`. */
  send(event: string): void {
    this.#write(`id: ${this.#nextId}\n${event}`);
    this.#nextId += 1;
  }

  /** Sends the last event and ends the stream. A client that reconnects with its id has seen everything; see `isFinalId`. */
  sendFinal(event: string): void {
    this.#nextId += firstFinalId;
    this.send(event);
    this.end();
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#heartbeat);
    this.#response.end();
  }

  #write(text: string): void {
    if (!this.#isOpen) return;
    this.#response.write(text);
    if (this.#response.writableLength > maxBufferedBytes) this.#response.destroy();
  }
}
