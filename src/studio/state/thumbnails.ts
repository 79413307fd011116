import { ApiError, type Connection } from '../api/connection.js';

/** Small pictures of scripts, one after the other, so that the live preview always has room; each is fetched once. */
export class Thumbnails {
  readonly #connection: Connection;
  readonly #isBusy: () => boolean;
  readonly #urls = new Map<string, Promise<string>>();
  #queue: Promise<void> = Promise.resolve();

  constructor(connection: Connection, isBusy: () => boolean) {
    this.#connection = connection;
    this.#isBusy = isBusy;
  }

  /** The address of a picture of a movie at a time. `isWanted`: whether anybody still looks when its turn comes. */
  draw(movie: object, time: number, isWanted: () => boolean): Promise<string> {
    const key = JSON.stringify([movie, time]);
    const known = this.#urls.get(key);
    if (known !== undefined) return known;
    const made = this.#queue.then(async () => {
      if (!isWanted()) throw new Error('nobody looks');
      return this.#fetch(movie, time);
    });
    this.#queue = made.then(
      () => undefined,
      () => undefined,
    );
    this.#urls.set(key, made);
    made.catch(() => this.#urls.delete(key));
    return made;
  }

  async #fetch(movie: object, time: number): Promise<string> {
    for (;;) {
      while (this.#isBusy()) await sleep(60);
      try {
        const answer = await this.#connection.open('api/preview/frame', { method: 'POST', body: { movie, time, width: 320 } });
        return URL.createObjectURL(await answer.blob());
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error;
        await sleep(Math.max(error.retryAfterSeconds, 1) * 1000);
      }
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
