import { ConfigError, type Environment } from './environment.js';

export interface RedisConfig {
  /** With its password. undefined: this machine is alone. */
  url: string | undefined;
}

export function parseRedisConfig(environment: Environment): RedisConfig {
  const url = environment.text('REDIS_URL');
  // It may carry a password, so it is not repeated.
  if (url !== undefined && !(URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol))) {
    throw new ConfigError('REDIS_URL', 'not the address of a Redis server: redis://user:password@host:6379/0, or rediss://… with TLS');
  }
  return Object.freeze({ url });
}
