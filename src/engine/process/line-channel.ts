import type { Socket } from 'node:net';

/** An engine's messages are short: facts, counts and texts of errors. */
const MAX_RECEIVED_BYTES = 1024 * 1024;
/** What the engine reads at most (native/host/channel.cc); a timeline of hours is a few megabytes. */
const MAX_SENT_BYTES = 256 * 1024 * 1024;

/** Lines in and out over one end of a socket. */
export class LineChannel {
  readonly #socket: Socket;
  #parts: Buffer[] = [];
  #length = 0;
  #isClosed = false;

  /** `onBreach`: the other side sent what is longer than any line may be. */
  constructor(socket: Socket, onLine: (line: string) => void, onBreach: () => void) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes, onLine, onBreach));
    // The end of the process tells why.
    socket.on('error', () => {});
  }

  /** False when the line is too long to be sent. */
  send(line: string): boolean {
    if (line.length * 3 > MAX_SENT_BYTES && Buffer.byteLength(line) >= MAX_SENT_BYTES) return false;
    if (this.#socket.writable) this.#socket.write(`${line}\n`);
    return true;
  }

  /** Nothing more is heard. */
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
