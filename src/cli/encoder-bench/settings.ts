import type { EncoderName } from '../../timeline/index.js';

/** An encoder with a preset and a thread count. */
export interface Configuration {
  /** Name in the report. */
  name: string;
  encoder: EncoderName;
  /** Preset of the encoder; empty if it has none. */
  preset: string;
  threads: number;
}

/** A step of a ladder: a quality on the encoder's scale, or a bit rate for which the quality is searched. */
export type Step = { crf: number } | { kbps: number };

/** Defaults: a fast preset, that of renders and a slow one, and ladders whose qualities overlap between encoders. */
export const defaults: Record<EncoderName, { presets: string[]; ladder: number[]; maxCrf: number }> = {
  libx264: { presets: ['ultrafast', 'veryfast', 'medium'], ladder: [17, 22, 27, 32, 37], maxCrf: 51 },
  libx265: { presets: ['ultrafast', 'veryfast', 'medium'], ladder: [17, 22, 27, 32, 37], maxCrf: 51 },
  libsvtav1: { presets: ['12', '10', '8'], ladder: [20, 29, 38, 47, 56], maxCrf: 63 },
  'libvpx-vp9': { presets: ['8', '3', '1'], ladder: [20, 29, 38, 47, 56], maxCrf: 63 },
  h264_nvenc: { presets: ['p1', 'p5', 'p7'], ladder: [20, 25, 30, 35, 40], maxCrf: 51 },
  hevc_nvenc: { presets: ['p1', 'p5', 'p7'], ladder: [20, 25, 30, 35, 40], maxCrf: 51 },
  av1_nvenc: { presets: ['p1', 'p5', 'p7'], ladder: [24, 32, 40, 48, 56], maxCrf: 63 },
  h264_vaapi: { presets: [''], ladder: [18, 23, 28, 33, 38], maxCrf: 51 },
  hevc_vaapi: { presets: [''], ladder: [18, 23, 28, 33, 38], maxCrf: 51 },
  av1_vaapi: { presets: [''], ladder: [22, 30, 38, 46, 54], maxCrf: 63 },
};

/** Name of a step in the report. */
export function stepName(step: Step): string {
  return 'crf' in step ? `crf ${step.crf}` : `${step.kbps} kbit/s`;
}
