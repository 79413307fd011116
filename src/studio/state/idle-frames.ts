import { ApiError, type Connection } from '../api/connection.js';

const pollMs = 60;

/** Renders a frame while the live preview is idle, and waits when the rate limit is reached. Undefined when aborted while waiting. */
export async function fetchFrameWhenIdle(connection: Connection, body: object, isBusy: () => boolean, signal?: AbortSignal): Promise<Blob | undefined> {
  while (signal?.aborted !== true) {
    if (isBusy()) {
      await sleep(pollMs);
      continue;
    }
    try {
      return await (await connection.open('api/preview/frame', { method: 'POST', body, signal })).blob();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await sleep(Math.max(error.retryAfterSeconds, 1) * 1000);
    }
  }
  return undefined;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
