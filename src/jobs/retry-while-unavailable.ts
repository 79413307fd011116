import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../errors/index.js';

const minPauseMs = 100;
const maxPauseMs = 2000;

/** Repeats `work`, with growing pauses, as long as the database is unavailable and `signal` is not aborted. `isRetry` is false the first time. */
export async function retryWhileUnavailable<T>(work: (isRetry: boolean) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work(attempt > 0);
    } catch (error) {
      if (signal.aborted || !(error instanceof DatabaseUnavailableError)) throw error;
    }
    await sleep(Math.min(maxPauseMs, minPauseMs * 2 ** attempt), undefined, { signal }).catch(() => {});
  }
}
