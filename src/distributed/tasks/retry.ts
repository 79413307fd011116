import { setTimeout as sleep } from 'node:timers/promises';

/** Before each further try to hand over what was made: making it again costs more than waiting for a while. */
const pausesMs = [250, 500, 1000, 2000, 5000, 10_000, 15_000];

/** Does it again and again for half a minute, unless trying is in vain; the last error then. */
export async function retryWithBackoff<T>(work: () => Promise<T>, isInVain: (error: unknown) => boolean): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (isInVain(error)) throw error;
      await sleep(pauseMs);
    }
  }
  return work();
}
