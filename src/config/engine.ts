import type { Environment } from './environment.js';

export type CompositorChoice = 'auto' | 'cpu' | 'vulkan';

export interface EngineConfig {
  /** `auto` or the encoder that every movie is encoded with. */
  encoder: 'auto' | 'libx264';
  /** `auto`: a graphics device where there is one that can compose. `vulkan`: one of those or a failure; one that is software counts too. */
  compositor: CompositorChoice;
}

export function parseEngineConfig(environment: Environment): EngineConfig {
  const compositor = environment.oneOf('FRAMEWRIGHT_COMPOSITOR', 'auto', ['auto', 'cpu', 'vulkan'] as const);
  return Object.freeze({ encoder: environment.oneOf('FRAMEWRIGHT_ENCODER', 'auto', ['auto', 'libx264'] as const), compositor });
}
