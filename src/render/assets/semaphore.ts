/** Lets a number of tasks run at the same time; the others wait in line. */
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
      // The place goes from hand to hand, so nobody can slip in between.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
