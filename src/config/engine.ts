import type { Environment } from './environment.js';

/** The first four for movies of every codec, the others for those of their own. */
const encoderChoices = [
  'auto',
  'software',
  'nvenc',
  'vaapi',
  'libx264',
  'libx265',
  'libsvtav1',
  'h264_nvenc',
  'hevc_nvenc',
  'av1_nvenc',
  'h264_vaapi',
  'hevc_vaapi',
  'av1_vaapi',
] as const;

export type CompositorChoice = 'auto' | 'cpu' | 'vulkan';

export interface EngineConfig {
  /** `auto`: the best that opens. `software`: never hardware. Anything else is what the operator relies on. */
  encoder: (typeof encoderChoices)[number];
  /** `auto`: a graphics device where there is one that can compose. `vulkan`: one of those or a failure; one that is software counts too. */
  compositor: CompositorChoice;
  /** `auto`: frames stay on a graphics card on their way to its encoder, where a trial shows that they arrive. `off`: never. */
  interop: 'auto' | 'off';
  /** `auto`: films are decoded by a graphics card where a trial shows that they come out the same, and clearly sooner. `on`: where they come out the same. */
  hardwareDecode: 'auto' | 'off' | 'on';
  /** Whether films that a movie shows as they are may be taken as they are coded. */
  copies: boolean;
  /** Segments of a movie that are encoded side by side at most; `auto`: as many as find idle cores. */
  maxParallelSegments: 'auto' | number;
}

export function parseEngineConfig(environment: Environment): EngineConfig {
  const compositor = environment.oneOf('FRAMEWRIGHT_COMPOSITOR', 'auto', ['auto', 'cpu', 'vulkan'] as const);
  const interop = environment.oneOf('FRAMEWRIGHT_INTEROP', 'auto', ['auto', 'off'] as const);
  const hardwareDecode = environment.oneOf('FRAMEWRIGHT_HARDWARE_DECODE', 'auto', ['auto', 'off', 'on'] as const);
  const copies = environment.oneOf('FRAMEWRIGHT_COPY', 'on', ['on', 'off'] as const) === 'on';
  const atOnce = environment.oneOf('FRAMEWRIGHT_SEGMENTS_AT_ONCE', 'auto', ['auto', '1', '2', '3', '4', '5', '6', '7', '8'] as const);
  const maxParallelSegments = atOnce === 'auto' ? atOnce : Number(atOnce);
  const encoder = environment.oneOf('FRAMEWRIGHT_ENCODER', 'auto', encoderChoices);
  return Object.freeze({ encoder, compositor, interop, hardwareDecode, copies, maxParallelSegments });
}
