import type { Codec } from '../script/index.js';

export interface EncoderFacts {
  codec: Codec;
  /** Whose circuits do the work. */
  maker: 'software' | 'nvenc' | 'vaapi';
}

/** Every encoder of the engine, by its name there. */
export const encoders = {
  libx264: { codec: 'h264', maker: 'software' },
  libx265: { codec: 'hevc', maker: 'software' },
  libsvtav1: { codec: 'av1', maker: 'software' },
  h264_nvenc: { codec: 'h264', maker: 'nvenc' },
  hevc_nvenc: { codec: 'hevc', maker: 'nvenc' },
  av1_nvenc: { codec: 'av1', maker: 'nvenc' },
  h264_vaapi: { codec: 'h264', maker: 'vaapi' },
  hevc_vaapi: { codec: 'hevc', maker: 'vaapi' },
  av1_vaapi: { codec: 'av1', maker: 'vaapi' },
} as const satisfies Record<string, EncoderFacts>;

export type EncoderName = keyof typeof encoders;

export const encoderNames = Object.keys(encoders) as EncoderName[];

export function isHardware(encoder: EncoderName): boolean {
  return encoders[encoder].maker !== 'software';
}

export function encoderOf(codec: Codec, maker: EncoderFacts['maker']): EncoderName {
  const found = encoderNames.find((name) => encoders[name].codec === codec && encoders[name].maker === maker);
  if (found === undefined) throw new Error(`no ${maker} encoder for ${codec}`);
  return found;
}
