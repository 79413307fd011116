import type { ErrorResponse, FrameHeader } from '../../contract/index.js';
import { ApiError } from './connection.js';

export interface FrameRecord {
  /** Seconds from the movie's start. */
  time: number;
  picture: Blob;
}

/** Pictures of a `frames` answer as they arrive: for each the length of a JSON head (32 bits, big-endian), the head, the bytes of the picture. */
export async function* readFrameRecords(answer: Response): AsyncGenerator<FrameRecord> {
  if (answer.body === null) return;
  const bytes = new ByteQueue(answer.body.getReader());
  try {
    for (;;) {
      const size = await bytes.take(4);
      if (size === undefined) return;
      const headBytes = await bytes.take(new DataView(size.buffer, size.byteOffset).getUint32(0));
      if (headBytes === undefined) return;
      const head = JSON.parse(new TextDecoder().decode(headBytes)) as FrameHeader & Partial<ErrorResponse>;
      if (head.error !== undefined) throw new ApiError(422, head.error.code, head.error.message, { path: head.error.path });
      const picture = await bytes.take(head.bytes);
      if (picture === undefined) return;
      yield { time: head.time, picture: new Blob([picture], { type: head.type }) };
    }
  } finally {
    await bytes.close();
  }
}

class ByteQueue {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #chunks: Array<Uint8Array<ArrayBuffer>> = [];
  #length = 0;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
    this.#reader = reader;
  }

  /** Undefined at the end, also when it comes too early. */
  async take(count: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (this.#length < count) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#chunks.push(value);
      this.#length += value.length;
    }
    const taken = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      const [first] = this.#chunks;
      if (first === undefined) break;
      const part = first.subarray(0, count - filled);
      taken.set(part, filled);
      filled += part.length;
      if (part.length === first.length) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(part.length);
    }
    this.#length -= count;
    return taken;
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}
