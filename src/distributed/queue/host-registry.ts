import type { HostCapabilities } from '../../jobs/index.js';
import type { RedisCommands } from './redis-commands.js';

/** A host that takes work, as it describes itself. */
export interface RenderHost {
  name: string;
  /** Hosts of one group render the same bytes. */
  group: string;
  /** Render processes. */
  slots: number;
  cores: number;
  encoders: HostCapabilities['encoders'];
  compositors: HostCapabilities['compositors'];
  since: string;
}

const lastsMs = 15_000;

/** Who is there. A host that is not heard of for 15 s is not. */
export class HostRegistry {
  readonly #redis: RedisCommands;
  readonly #key: string;

  constructor(redis: RedisCommands, prefix: string) {
    this.#redis = redis;
    this.#key = `${prefix}:hosts`;
  }

  async register(id: string, host: RenderHost): Promise<void> {
    await this.#redis.sadd(this.#key, id);
    await this.#redis.set(`${this.#key}:${id}`, JSON.stringify(host), 'PX', lastsMs);
  }

  async leave(id: string): Promise<void> {
    await this.#redis.del(`${this.#key}:${id}`);
    await this.#redis.srem(this.#key, id);
  }

  async list(): Promise<RenderHost[]> {
    const ids = await this.#redis.smembers(this.#key);
    if (ids.length === 0) return [];
    const texts = await this.#redis.mget(...ids.map((id) => `${this.#key}:${id}`));
    const gone = ids.filter((_id, index) => texts[index] === null);
    if (gone.length > 0) await this.#redis.srem(this.#key, ...gone);
    return texts.filter((text) => text !== null).map((text) => JSON.parse(text) as RenderHost);
  }
}
