import { setTimeout as sleep } from 'node:timers/promises';

/** Delays between attempts (ms). They are long because rendering again costs more than waiting. */
const delaysMs = [250, 500, 1000, 2000, 5000, 10_000, 15_000];

/** Retries `work` for about 30 s, then rejects with its last error; rejects at once with an error for which `isPermanent` returns true. */
export async function retryWithBackoff<T>(work: () => Promise<T>, isPermanent: (error: unknown) => boolean): Promise<T> {
  for (const delayMs of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (isPermanent(error)) throw error;
      await sleep(delayMs);
    }
  }
  return work();
}
