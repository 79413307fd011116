/** A map of limited size: the entry that was used least recently is evicted. */
export class LruCache<Value> {
  readonly #entries = new Map<string, { value: Value; setAtMs: number }>();
  readonly #maxEntries: number;
  readonly #ttlMs: number;

  /** Entries older than `ttlMs` are misses; by default they do not expire. */
  constructor(maxEntries: number, ttlMs: number = Number.POSITIVE_INFINITY) {
    this.#maxEntries = maxEntries;
    this.#ttlMs = ttlMs;
  }

  /** Marks the entry as used; its age does not change. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || performance.now() - entry.setAtMs >= this.#ttlMs) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set<Stored extends Value>(key: string, value: Stored): Stored {
    this.#entries.delete(key);
    this.#entries.set(key, { value, setAtMs: performance.now() });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
