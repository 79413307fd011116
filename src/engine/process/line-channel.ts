import type { Socket } from 'node:net';

/** Messages of the engine are short: metadata, counts and error texts. */
const MAX_RECEIVED_BYTES = 1024 * 1024;
/** The engine's own limit (native/host/channel.cc); the timeline of an hour-long movie has a few megabytes. */
const MAX_SENT_BYTES = 256 * 1024 * 1024;

/** Sends and receives text lines over a socket. */
export class LineChannel {
  readonly #socket: Socket;
  #parts: Buffer[] = [];
  #length = 0;
  #isClosed = false;

  /** `onBreach` is called when a received line exceeds the size limit. */
  constructor(socket: Socket, onLine: (line: string) => void, onBreach: () => void) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes, onLine, onBreach));
    // The exit of the process is the error that is reported.
    socket.on('error', () => {});
  }

  /** Sends a line; returns false when it exceeds the size limit. */
  send(line: string): boolean {
    if (line.length * 3 > MAX_SENT_BYTES && Buffer.byteLength(line) >= MAX_SENT_BYTES) return false;
    if (this.#socket.writable) this.#socket.write(`${line}\n`);
    return true;
  }

  /** Stops receiving. */
  close(): void {
    this.#isClosed = true;
    this.#parts = [];
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  #receive(bytes: Buffer, onLine: (line: string) => void, onBreach: () => void): void {
    let rest = bytes;
    for (let end = rest.indexOf(10); end >= 0 && !this.#isClosed; end = rest.indexOf(10)) {
      const line = Buffer.concat([...this.#parts, rest.subarray(0, end)]);
      this.#parts = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
      onLine(line.toString('utf8'));
    }
    if (this.#isClosed || rest.length === 0) return;
    this.#parts.push(rest);
    this.#length += rest.length;
    if (this.#length > MAX_RECEIVED_BYTES) onBreach();
  }
}
