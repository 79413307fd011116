import type { Environment } from './environment.js';

/** The first four apply to all codecs, the others to movies of their own codec. */
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

/** Backends of the engine. */
export interface EngineConfig {
  /** `auto`: the best one that opens. `software`: no hardware encoder. All others are required: renders fail without them. */
  encoder: (typeof encoderChoices)[number];
  /** `auto`: a graphics device that can compose, else the CPU. `vulkan`: a Vulkan device is required; a software one is accepted too. */
  compositor: 'auto' | 'cpu' | 'vulkan';
  /**
   * `auto`: composed frames stay on the graphics device of the encoder if a probe shows that they arrive unchanged. `copy`: the encoder gets copies that
   * are made on the device.
   */
  interop: 'auto' | 'copy' | 'off';
  /** `auto`: hardware decoding if a probe shows equal samples and a clear gain in time. `on`: if it shows equal samples. */
  hardwareDecode: 'auto' | 'off' | 'on';
  /** Whether packets of clips that a movie shows unchanged may be copied without re-encoding. */
  copies: boolean;
  /** Maximum number of segments of one movie that are encoded at once; `auto`: depends on idle cores. */
  maxParallelSegments: 'auto' | number;
}

export function parseEngineConfig(environment: Environment): EngineConfig {
  const segments = environment.oneOf('FRAMEWRIGHT_SEGMENTS_AT_ONCE', 'auto', ['auto', '1', '2', '3', '4', '5', '6', '7', '8'] as const);
  return Object.freeze({
    compositor: environment.oneOf('FRAMEWRIGHT_COMPOSITOR', 'auto', ['auto', 'cpu', 'vulkan'] as const),
    interop: environment.oneOf('FRAMEWRIGHT_INTEROP', 'auto', ['auto', 'copy', 'off'] as const),
    hardwareDecode: environment.oneOf('FRAMEWRIGHT_HARDWARE_DECODE', 'auto', ['auto', 'off', 'on'] as const),
    copies: environment.oneOf('FRAMEWRIGHT_COPY', 'on', ['on', 'off'] as const) === 'on',
    maxParallelSegments: segments === 'auto' ? segments : Number(segments),
    encoder: environment.oneOf('FRAMEWRIGHT_ENCODER', 'auto', encoderChoices),
  });
}
