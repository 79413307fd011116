import type { Source } from '../contract/index.js';

/** Collects the Timeline's sources; uses of the same file as the same kind, deinterlaced in the same way, share one entry. */
export class Sources {
  readonly list: Source[] = [];
  readonly #indexes = new Map<string, number>();

  /** Adds a file if it is new and returns its index. */
  use(kind: Source['kind'], path: string, label: string, deinterlace: Source['deinterlace'] = 'auto'): number {
    const key = `${kind} ${deinterlace} ${path}`;
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = this.list.push({ kind, path, label, ...(deinterlace !== 'auto' && { deinterlace }) }) - 1;
      this.#indexes.set(key, index);
    }
    return index;
  }
}
