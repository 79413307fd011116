import type { EncodeSettings } from '../contract/index.js';
import type { Movie, Quality } from '../script/index.js';
import { type EncoderName, encoderFor } from './encoders.js';

/**
 * Preset and constant-quality value of each encoder for the script's `quality`. Software encoders match x264's luma SSIM
 * at the same quality (measured in bench/encoders); hardware values follow vendor recommendations.
 */
const settings: Record<EncoderName, { preset: string; crf: Record<Quality, number> }> = {
  // `veryfast`: slower presets gain little on drawn frames, and encoding dominates the time of a software render.
  libx264: { preset: 'veryfast', crf: { low: 28, medium: 23, high: 19 } },
  libx265: { preset: 'veryfast', crf: { low: 29, medium: 24, high: 19.5 } },
  libsvtav1: { preset: '10', crf: { low: 46, medium: 36, high: 29 } },
  h264_nvenc: { preset: 'p5', crf: { low: 31, medium: 26, high: 22 } },
  hevc_nvenc: { preset: 'p5', crf: { low: 32, medium: 27, high: 23 } },
  av1_nvenc: { preset: 'p5', crf: { low: 45, medium: 36, high: 29 } },
  h264_vaapi: { preset: '', crf: { low: 29, medium: 24, high: 20 } },
  hevc_vaapi: { preset: '', crf: { low: 30, medium: 25, high: 21 } },
  av1_vaapi: { preset: '', crf: { low: 43, medium: 34, high: 27 } },
};

/**
 * x264's preset of segments that show a video, where slower presets gain more than on drawn frames: at equal SSIM `slow` takes a sixth less data
 * for 2.7 times the CPU time (docs/decisions/0068-presets-by-word.md). Absent: that of all segments.
 */
const footagePresets: Partial<Record<Quality, EncodeSettings['footagePreset']>> = { high: 'slow' };

/** Bits per second of lossy stereo sound. */
export const audioBitrate: Record<Quality, number> = { low: 96_000, medium: 128_000, high: 192_000 };

const KEYFRAME_SECONDS = 5;

/** Encode settings of a movie for an encoder. `overrides` come from the operator's command line, never from a script. */
export function encodeSettings(movie: Pick<Movie, 'quality' | 'loudness'>, encoder: EncoderName, overrides: Partial<EncodeSettings> = {}): EncodeSettings {
  const { preset, crf } = settings[encoder];
  const footagePreset = encoder === 'libx264' && overrides.preset === undefined ? footagePresets[movie.quality] : undefined;
  return {
    encoder,
    preset,
    ...(footagePreset !== undefined && { footagePreset }),
    crf: crf[movie.quality],
    keyframeSeconds: KEYFRAME_SECONDS,
    audioBitrate: audioBitrate[movie.quality],
    ...(movie.loudness === undefined ? {} : { loudness: movie.loudness }),
    ...overrides,
  };
}

/** Settings for falling back to the software encoder: overrides of preset and crf are dropped, since their scale belongs to the original encoder. */
export function softwareEncodeSettings(movie: Pick<Movie, 'codec' | 'quality' | 'loudness'>, overrides: Partial<EncodeSettings> = {}): EncodeSettings {
  const { preset: _preset, crf: _crf, encoder: _encoder, ...others } = overrides;
  return encodeSettings(movie, encoderFor(movie.codec, 'software'), others);
}
