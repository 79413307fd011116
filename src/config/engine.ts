import { ConfigError, type Environment } from './environment.js';

export interface EngineConfig {
  /** `auto` or the encoder that every movie is encoded with. */
  encoder: 'auto' | 'libx264';
  compositor: 'auto' | 'cpu';
}

export function parseEngineConfig(environment: Environment): EngineConfig {
  const compositor = environment.oneOf('FRAMEWRIGHT_COMPOSITOR', 'auto', ['auto', 'cpu', 'vulkan'] as const);
  if (compositor === 'vulkan') throw new ConfigError('FRAMEWRIGHT_COMPOSITOR', 'this version composes on the CPU only (auto, cpu)');
  return Object.freeze({ encoder: environment.oneOf('FRAMEWRIGHT_ENCODER', 'auto', ['auto', 'libx264'] as const), compositor });
}
