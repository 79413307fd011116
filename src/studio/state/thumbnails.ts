import type { Connection } from '../api/connection.js';
import { fetchFrameWhenIdle } from './idle-frames.js';

const width = 320;

/** Renders thumbnails of scripts one after the other, so that the live preview has priority; each is rendered once. */
export class Thumbnails {
  readonly #connection: Connection;
  readonly #isBusy: () => boolean;
  readonly #urls = new Map<string, Promise<string>>();
  #queue: Promise<void> = Promise.resolve();

  constructor(connection: Connection, isBusy: () => boolean) {
    this.#connection = connection;
    this.#isBusy = isBusy;
  }

  /** URL of a frame of a movie. Rejects when `isWanted` returns false once the request reaches the head of the queue. */
  draw(movie: object, time: number, isWanted: () => boolean): Promise<string> {
    const key = JSON.stringify([movie, time]);
    const known = this.#urls.get(key);
    if (known !== undefined) return known;
    const url = this.#queue.then(async () => {
      const image = isWanted() ? await fetchFrameWhenIdle(this.#connection, { movie, time, width }, this.#isBusy) : undefined;
      if (image === undefined) throw new Error('the thumbnail is no longer wanted');
      return URL.createObjectURL(image);
    });
    this.#queue = url.then(
      () => undefined,
      () => undefined,
    );
    this.#urls.set(key, url);
    url.catch(() => this.#urls.delete(key));
    return url;
  }
}
