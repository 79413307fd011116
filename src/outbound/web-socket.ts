import type { Dispatcher } from 'undici';
import { undici } from './undici.js';

/** Limits of a WebSocket session. */
export interface WebSocketOptions {
  headers: Record<string, string>;
  /** Timeout without any received message. */
  idleMs: number;
  /** Of all messages together. */
  maxBytes: number;
  signal: AbortSignal;
}

/** A connected WebSocket; `messages` ends with an error when the peer closes the connection. */
export interface WebSocketSession {
  send(text: string): void;
  messages: AsyncIterable<string | Buffer>;
}

/** A WebSocket did not connect or was lost. The message is a predicate of the URL. */
export class WebSocketError extends Error {
  /** Close code of the peer: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
  readonly closeCode: number | undefined;

  constructor(message: string, options: { closeCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.closeCode = options.closeCode;
  }
}

/** Connects, runs `use`, and closes the connection. */
export async function runWebSocket<T>(
  url: string,
  options: WebSocketOptions,
  dispatcher: Dispatcher,
  use: (socket: WebSocketSession) => Promise<T>,
): Promise<T> {
  options.signal.throwIfAborted();
  const { WebSocket } = undici();
  const socket = new WebSocket(url, { dispatcher, headers: { 'user-agent': 'Framewright', ...options.headers } });
  socket.binaryType = 'arraybuffer';
  const inbox = new Inbox(options);
  socket.onmessage = ({ data }) => inbox.put(typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer));
  const opened = new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onclose = ({ code, reason }) => {
      const failure = new WebSocketError(closeText(code, reason), { closeCode: code });
      inbox.end(failure);
      reject(failure);
    };
    socket.onerror = ({ error }) => {
      const failure = new WebSocketError('did not take the connection', { cause: error });
      inbox.end(failure);
      reject(failure);
    };
    inbox.onEnd = reject;
  });
  try {
    await opened;
    return await use({ send: (text) => socket.send(text), messages: inbox });
  } finally {
    inbox.stop();
    socket.close();
  }
}

/** Names the close code unless it is a generic one. */
function closeText(code: number, reason: string): string {
  const why = reason === '' ? '' : ` ${reason.slice(0, 120)}`;
  return code > 1006 || code === 1003 ? `closed the connection (${code}${why})` : 'closed the connection';
}

class Inbox implements AsyncIterable<string | Buffer> {
  readonly #waiting: Array<string | Buffer> = [];
  readonly #options: WebSocketOptions;
  readonly #onAbort = (): void => this.end(this.#options.signal.reason instanceof Error ? this.#options.signal.reason : new WebSocketError('was given up'));
  #size = 0;
  #failure: Error | undefined;
  #wake: () => void = () => {};
  #timer: NodeJS.Timeout;
  onEnd: (failure: Error) => void = () => {};

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#timer = this.#startTimer();
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  put(message: string | Buffer): void {
    clearTimeout(this.#timer);
    this.#timer = this.#startTimer();
    this.#size += message.length;
    if (this.#size > this.#options.maxBytes) this.end(new WebSocketError(`sent more than ${this.#options.maxBytes} bytes`));
    else this.#waiting.push(message);
    this.#wake();
  }

  end(failure: Error): void {
    this.#failure ??= failure;
    this.onEnd(this.#failure);
    this.#wake();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string | Buffer> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#failure !== undefined) throw this.#failure;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => this.end(new WebSocketError('did not answer in time')), this.#options.idleMs);
  }
}
