import type { ErrorResponse, FrameHeader } from '../../contract/index.js';
import { ApiError } from './connection.js';

/** A frame of the preview. */
export interface FrameRecord {
  /** Seconds from the movie's start. */
  time: number;
  image: Blob;
}

/** Reads the frames of a response of /api/preview/frames as they arrive: the length of a JSON header (32 bits, big-endian), the header, the image. */
export async function* readFrameRecords(response: Response): AsyncGenerator<FrameRecord> {
  if (response.body === null) return;
  const bytes = new ByteQueue(response.body.getReader());
  try {
    for (;;) {
      const size = await bytes.take(4);
      if (size === undefined) return;
      const headerBytes = await bytes.take(new DataView(size.buffer, size.byteOffset).getUint32(0));
      if (headerBytes === undefined) return;
      const header = JSON.parse(new TextDecoder().decode(headerBytes)) as FrameHeader & Partial<ErrorResponse>;
      if (header.error !== undefined) throw new ApiError(422, header.error.code, header.error.message, { path: header.error.path });
      const image = await bytes.take(header.bytes);
      if (image === undefined) return;
      yield { time: header.time, image: new Blob([image], { type: header.type }) };
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

  /** Undefined when the stream ends before `count` bytes. */
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
