/** Redis commands used besides BullMQ. */
export interface RedisCommands {
  readonly status: string;
  eval(script: string, keys: number, ...rest: (string | number)[]): Promise<unknown>;
  del(...keys: string[]): Promise<number>;
  set(key: string, value: string, unit: 'PX', lastsMs: number): Promise<unknown>;
  set(key: string, value: string, unit: 'PX', lastsMs: number, when: 'NX'): Promise<unknown>;
  sadd(key: string, member: string): Promise<number>;
  srem(key: string, ...members: string[]): Promise<number>;
  smembers(key: string): Promise<string[]>;
  mget(...keys: string[]): Promise<(string | null)[]>;
  publish(channel: string, text: string): Promise<number>;
}
