import { ConfigError, type Environment } from './environment.js';

export interface EngineConfig {
  /** `auto` or the name of an encoder; whether this host has it is known when the engine opens it. */
  encoder: string;
  compositor: 'auto' | 'cpu' | 'vulkan';
}

export function parseEngineConfig(environment: Environment): EngineConfig {
  const encoder = environment.text('FRAMEWRIGHT_ENCODER') ?? 'auto';
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/.test(encoder)) {
    throw new ConfigError('FRAMEWRIGHT_ENCODER', `"${encoder}" is neither auto nor an encoder name such as libx264`);
  }
  return Object.freeze({ encoder, compositor: environment.oneOf('FRAMEWRIGHT_COMPOSITOR', 'auto', ['auto', 'cpu', 'vulkan'] as const) });
}
