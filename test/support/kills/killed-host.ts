import { expect } from 'vitest';
import { processesWith } from '../process-tree.js';
import { pause } from '../receiver.js';
import type { RunningService } from '../service.js';

/** A service that is killed and started again with the same data folder. */
export class KilledHost {
  readonly dataDir: string;
  readonly #start: () => Promise<RunningService>;
  #service: RunningService | undefined;
  /** Times from a start until the service was ready (ms). */
  readonly readyMs: number[] = [];
  /** Times from a kill until the last render process had exited (ms). */
  readonly goneMs: number[] = [];

  constructor(dataDir: string, start: () => Promise<RunningService>) {
    this.dataDir = dataDir;
    this.#start = start;
  }

  /** Empty before the first start. */
  get url(): string {
    return this.#service?.url ?? '';
  }

  /** Resolves when the service is ready. */
  async start(): Promise<void> {
    const since = performance.now();
    this.#service = await this.#start();
    while ((await fetch(`${this.url}/readyz`)).status !== 200) await pause(10);
    this.readyMs.push(performance.now() - since);
  }

  /** Sends SIGKILL to the service; resolves when its render processes, which notice its end when they are scheduled, have exited too. */
  async kill(): Promise<void> {
    const since = performance.now();
    process.kill(this.#service?.pid ?? 0, 'SIGKILL');
    while (processesWith(this.dataDir).length > 0) {
      expect(performance.now() - since, 'a process outlives the service for 20 seconds').toBeLessThan(20_000);
      await pause(20);
    }
    this.goneMs.push(performance.now() - since);
  }

  /** Stops the service and expects that none of its processes is left. */
  async stop(): Promise<void> {
    await this.#service?.stop();
    expect(processesWith(this.dataDir)).toEqual([]);
  }
}

/** The median and the maximum, rounded. */
export function summarizeTimes(times: readonly number[]): { median: number; max: number } {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), max: Math.round(sorted.at(-1) ?? 0) };
}
