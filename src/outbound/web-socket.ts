import type { Dispatcher } from 'undici';
import { undici } from './undici.js';

export interface SocketOptions {
  headers: Record<string, string>;
  /** How long the other side may be silent. */
  idleMs: number;
  /** Of all messages together. */
  maxBytes: number;
  signal: AbortSignal;
}

/** A WebSocket as a conversation: text goes out, messages come in until the other side or the reader ends it. */
export interface Socket {
  send(text: string): void;
  messages: AsyncIterable<string | Buffer>;
}

/** The conversation did not come about, or broke off. The message stands after the URL. */
export class SocketFailure extends Error {
  /** With which the other side closed it: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
  readonly closeCode: number | undefined;

  constructor(message: string, options: { closeCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.closeCode = options.closeCode;
  }
}

/** Runs a conversation; the connection is closed when `converse` has ended. */
export async function withWebSocket<T>(url: string, options: SocketOptions, dispatcher: Dispatcher, converse: (socket: Socket) => Promise<T>): Promise<T> {
  options.signal.throwIfAborted();
  const { WebSocket } = undici();
  const socket = new WebSocket(url, { dispatcher, headers: { 'user-agent': 'Framewright', ...options.headers } });
  socket.binaryType = 'arraybuffer';
  const inbox = new Inbox(options);
  socket.onmessage = ({ data }) => inbox.put(typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer));
  const opened = new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onclose = ({ code, reason }) => {
      const failure = new SocketFailure(closeText(code, reason), { closeCode: code });
      inbox.end(failure);
      reject(failure);
    };
    socket.onerror = ({ error }) => {
      const failure = new SocketFailure('did not take the connection', { cause: error });
      inbox.end(failure);
      reject(failure);
    };
    inbox.onEnd = reject;
  });
  try {
    await opened;
    return await converse({ send: (text) => socket.send(text), messages: inbox });
  } finally {
    inbox.stop();
    socket.close();
  }
}

/** Codes without a meaning of their own say nothing to a reader. */
function closeText(code: number, reason: string): string {
  const why = reason === '' ? '' : ` ${reason.slice(0, 120)}`;
  return code > 1006 || code === 1003 ? `closed the connection (${code}${why})` : 'closed the connection';
}

class Inbox implements AsyncIterable<string | Buffer> {
  readonly #waiting: Array<string | Buffer> = [];
  readonly #options: SocketOptions;
  readonly #onAbort = (): void => this.end(this.#options.signal.reason instanceof Error ? this.#options.signal.reason : new SocketFailure('was given up'));
  #size = 0;
  #failure: Error | undefined;
  #wake: () => void = () => {};
  #timer: NodeJS.Timeout;
  onEnd: (failure: Error) => void = () => {};

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#timer = this.#startTimer();
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  put(message: string | Buffer): void {
    clearTimeout(this.#timer);
    this.#timer = this.#startTimer();
    this.#size += message.length;
    if (this.#size > this.#options.maxBytes) this.end(new SocketFailure(`sent more than ${this.#options.maxBytes} bytes`));
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
    return setTimeout(() => this.end(new SocketFailure('did not answer in time')), this.#options.idleMs);
  }
}
