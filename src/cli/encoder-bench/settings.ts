import type { EncoderName } from '../../timeline/index.js';

/** One way to encode: an encoder with a preset in its own words and a number of threads. */
export interface Configuration {
  /** What people call it. */
  name: string;
  encoder: EncoderName;
  /** Empty: the encoder has none. */
  preset: string;
  threads: number;
}

/** A place on a ladder: a quality on the encoder's own scale, or a rate that a quality is looked for. */
export type Step = { crf: number } | { kbps: number };

/** What is measured where nothing else is said: a fast, the renders' and a slow preset, and qualities that overlap between encoders. */
export const defaults: Record<EncoderName, { presets: string[]; ladder: number[]; maxCrf: number }> = {
  libx264: { presets: ['ultrafast', 'veryfast', 'medium'], ladder: [17, 22, 27, 32, 37], maxCrf: 51 },
  libx265: { presets: ['ultrafast', 'veryfast', 'medium'], ladder: [17, 22, 27, 32, 37], maxCrf: 51 },
  libsvtav1: { presets: ['12', '10', '8'], ladder: [20, 29, 38, 47, 56], maxCrf: 63 },
  h264_nvenc: { presets: ['p1', 'p5', 'p7'], ladder: [20, 25, 30, 35, 40], maxCrf: 51 },
  hevc_nvenc: { presets: ['p1', 'p5', 'p7'], ladder: [20, 25, 30, 35, 40], maxCrf: 51 },
  av1_nvenc: { presets: ['p1', 'p5', 'p7'], ladder: [24, 32, 40, 48, 56], maxCrf: 63 },
  h264_vaapi: { presets: [''], ladder: [18, 23, 28, 33, 38], maxCrf: 51 },
  hevc_vaapi: { presets: [''], ladder: [18, 23, 28, 33, 38], maxCrf: 51 },
  av1_vaapi: { presets: [''], ladder: [22, 30, 38, 46, 54], maxCrf: 63 },
};

export function stepName(step: Step): string {
  return 'crf' in step ? `crf ${step.crf}` : `${step.kbps} kbit/s`;
}
