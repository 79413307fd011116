/** Limits how many tasks run in parallel; further tasks wait in FIFO order. */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The slot passes directly to the next waiter, so a later caller cannot overtake it.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
