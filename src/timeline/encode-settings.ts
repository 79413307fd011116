import type { EncodeSettings } from '../contract/index.js';
import type { Movie, Quality } from '../script/index.js';
import { type EncoderName, encoderFor, type SegmentCodec } from './encoders.js';

interface WordSettings {
  preset: string;
  crf: number;
  footagePreset?: EncodeSettings['footagePreset'];
}

/** The same preset for all words, for encoders whose presets are not measured. */
function withPreset(preset: string, crf: Record<Quality, number>): Record<Quality, WordSettings> {
  return { low: { preset, crf: crf.low }, medium: { preset, crf: crf.medium }, high: { preset, crf: crf.high } };
}

/**
 * Settings of each encoder for the script's `quality`. `low` and `medium` are encoded fast; at `high` a slower preset takes a fifth less data
 * at equal SSIM (docs/decisions/0068-presets-by-word.md). Drawn segments of x264 stay at the preset that the engine plans. The crf of software
 * encoders match x264's luma SSIM (bench/encoders), hardware values follow vendor recommendations.
 */
const settings: Record<EncoderName, Record<Quality, WordSettings>> = {
  libx264: { ...withPreset('veryfast', { low: 28, medium: 23, high: 19 }), high: { preset: 'veryfast', footagePreset: 'slow', crf: 19 } },
  libx265: { ...withPreset('veryfast', { low: 29, medium: 24, high: 19.5 }), high: { preset: 'slow', crf: 19.5 } },
  libsvtav1: { ...withPreset('10', { low: 46, medium: 36, high: 29 }), high: { preset: '8', crf: 29 } },
  'libvpx-vp9': withPreset('3', { low: 42, medium: 35, high: 28 }),
  h264_nvenc: withPreset('p5', { low: 31, medium: 26, high: 22 }),
  hevc_nvenc: withPreset('p5', { low: 32, medium: 27, high: 23 }),
  av1_nvenc: withPreset('p5', { low: 45, medium: 36, high: 29 }),
  h264_vaapi: withPreset('', { low: 29, medium: 24, high: 20 }),
  hevc_vaapi: withPreset('', { low: 30, medium: 25, high: 21 }),
  av1_vaapi: withPreset('', { low: 43, medium: 34, high: 27 }),
};

/** Bits per second of lossy stereo sound. */
export const audioBitrate: Record<Quality, number> = { low: 96_000, medium: 128_000, high: 192_000 };

const KEYFRAME_SECONDS = 5;

/** Encode settings of a movie for an encoder. `overrides` come from the operator's command line, never from a script. */
export function encodeSettings(movie: Pick<Movie, 'quality' | 'loudness'>, encoder: EncoderName, overrides: Partial<EncodeSettings> = {}): EncodeSettings {
  const { footagePreset, ...word } = settings[encoder][movie.quality];
  return {
    encoder,
    ...word,
    // An operator's preset applies to all segments.
    ...(footagePreset !== undefined && overrides.preset === undefined && { footagePreset }),
    keyframeSeconds: KEYFRAME_SECONDS,
    audioBitrate: audioBitrate[movie.quality],
    ...(movie.loudness === undefined ? {} : { loudness: movie.loudness }),
    ...overrides,
  };
}

/** Settings for falling back to the software encoder: overrides of preset and crf are dropped, since their scale belongs to the original encoder. */
export function softwareEncodeSettings(
  movie: Pick<Movie, 'quality' | 'loudness'> & { codec: SegmentCodec },
  overrides: Partial<EncodeSettings> = {},
): EncodeSettings {
  const { preset: _preset, crf: _crf, encoder: _encoder, ...others } = overrides;
  return encodeSettings(movie, encoderFor(movie.codec, 'software'), others);
}
