import { finished } from 'node:stream/promises';
import type { Dispatcher } from 'undici';

/** Bytes of a body that may wait before the first chunk is read. */
export const bodyHighWaterMark = 1_048_576;

/**
 * Passes each chunk of a body to `take`, which must not return before it has used it; false or an exception ends the reading and closes the
 * connection. Chunks are never held back: undici 7 fails an assertion, which ends the process, when a server closes the connection while the
 * parser waits for a slow reader. Rejects when the body ends early.
 */
export async function readBody(body: Dispatcher.ResponseData['body'], take: (chunk: Buffer) => boolean): Promise<void> {
  let failure: unknown;
  let isStopped = false;
  body.on('data', (chunk: Buffer) => {
    if (isStopped) return;
    try {
      isStopped = !take(chunk);
    } catch (error) {
      failure = error;
      isStopped = true;
    }
    if (isStopped) body.destroy();
  });
  try {
    await finished(body);
  } catch (error) {
    if (!isStopped) throw error;
  }
  if (failure !== undefined) throw failure;
}
