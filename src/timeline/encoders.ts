import type { EncodeSettings } from '../contract/index.js';
import type { OutputCodec } from '../script/index.js';

/** Codec of a video that is encoded in segments. */
export type SegmentCodec = Exclude<OutputCodec, 'prores-422' | 'prores-4444'>;

/** Codec of an encoder and the API it encodes through. */
export interface EncoderTraits {
  codec: SegmentCodec;
  backend: 'software' | 'nvenc' | 'vaapi';
}

/** A libavcodec encoder name. */
export type EncoderName = EncodeSettings['encoder'];

/** All encoders the engine supports, by their libavcodec name. */
export const encoders = {
  libx264: { codec: 'h264', backend: 'software' },
  libx265: { codec: 'hevc', backend: 'software' },
  libsvtav1: { codec: 'av1', backend: 'software' },
  'libvpx-vp9': { codec: 'vp9', backend: 'software' },
  h264_nvenc: { codec: 'h264', backend: 'nvenc' },
  hevc_nvenc: { codec: 'hevc', backend: 'nvenc' },
  av1_nvenc: { codec: 'av1', backend: 'nvenc' },
  h264_vaapi: { codec: 'h264', backend: 'vaapi' },
  hevc_vaapi: { codec: 'hevc', backend: 'vaapi' },
  av1_vaapi: { codec: 'av1', backend: 'vaapi' },
} as const satisfies Record<EncoderName, EncoderTraits>;

/** All encoder names, software first. */
export const encoderNames = Object.keys(encoders) as EncoderName[];

/** Whether the encoder runs on a graphics device. */
export function isHardware(encoder: EncoderName): boolean {
  return encoders[encoder].backend !== 'software';
}

/** The encoder of a codec on a backend. */
export function encoderFor(codec: SegmentCodec, maker: EncoderTraits['backend']): EncoderName {
  const found = encoderNames.find((name) => encoders[name].codec === codec && encoders[name].backend === maker);
  if (found === undefined) throw new Error(`no ${maker} encoder for ${codec}`);
  return found;
}
