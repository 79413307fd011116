import type { Source } from './timeline.js';

/** The Timeline's files; elements that use the same file in the same way share one. */
export class Sources {
  readonly list: Source[] = [];
  readonly #indexes = new Map<string, number>();

  /** The file's index. */
  use(kind: Source['kind'], path: string, label: string): number {
    const key = `${kind} ${path}`;
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = this.list.push({ kind, path, label }) - 1;
      this.#indexes.set(key, index);
    }
    return index;
  }
}
