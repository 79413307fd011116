import type { HostCapabilities } from '../../jobs/index.js';
import type { RedisCommands } from './redis-commands.js';

/** A host of the render farm. */
export interface RenderHost {
  name: string;
  /** Hosts of one group render identical bytes. */
  group: string;
  /** Number of render processes. */
  slots: number;
  cores: number;
  encoders: HostCapabilities['encoders'];
  compositors: HostCapabilities['compositors'];
  since: string;
}

/** How long a registration lasts without a heartbeat (ms). */
const registrationMs = 15_000;

/** Connected hosts in Redis. A registration expires 15 s after the last heartbeat. */
export class HostRegistry {
  readonly #redis: RedisCommands;
  readonly #key: string;

  constructor(redis: RedisCommands, prefix: string) {
    this.#redis = redis;
    this.#key = `${prefix}:hosts`;
  }

  /** Registers a host or renews its registration. */
  async register(id: string, host: RenderHost): Promise<void> {
    await this.#redis.sadd(this.#key, id);
    await this.#redis.set(`${this.#key}:${id}`, JSON.stringify(host), 'PX', registrationMs);
  }

  /** Removes a registration. */
  async leave(id: string): Promise<void> {
    await this.#redis.del(`${this.#key}:${id}`);
    await this.#redis.srem(this.#key, id);
  }

  /** Lists connected hosts. */
  async list(): Promise<RenderHost[]> {
    const ids = await this.#redis.smembers(this.#key);
    if (ids.length === 0) return [];
    const texts = await this.#redis.mget(...ids.map((id) => `${this.#key}:${id}`));
    const gone = ids.filter((_id, index) => texts[index] === null);
    if (gone.length > 0) await this.#redis.srem(this.#key, ...gone);
    return texts.filter((text) => text !== null).map((text) => JSON.parse(text) as RenderHost);
  }
}
