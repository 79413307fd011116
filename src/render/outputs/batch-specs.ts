import type { OutputSpec } from './output-spec.js';

/** Megabytes that an encoder of Full HD frames needs, measured. */
const encoderMegabytes: Readonly<Record<string, number>> = { h264: 250, hevc: 345, av1: 360, vp9: 240 };
/** Of encoders that keep one frame or write them to disk. */
const FRAME_MEGABYTES = 45;
const FULL_HD_PIXELS = 1920 * 1080;

/** Megabytes of all encoders that run at once. */
const MAX_MEGABYTES = 350;

/** Divides files into groups that are encoded one after the other, because all encoders at once would need too much memory. */
export function batchSpecs(specs: readonly OutputSpec[]): OutputSpec[][] {
  const batches: Array<{ specs: OutputSpec[]; megabytes: number }> = [];
  for (const spec of specs) {
    const own = megabytesOf(spec);
    let batch = batches.find(({ megabytes }) => megabytes + own <= MAX_MEGABYTES);
    if (batch === undefined) {
      batch = { specs: [], megabytes: 0 };
      batches.push(batch);
    }
    batch.specs.push(spec);
    batch.megabytes += own;
  }
  return batches.map((batch) => batch.specs);
}

function megabytesOf({ codec, width = 0, height = 0 }: OutputSpec): number {
  return (((codec && encoderMegabytes[codec]) ?? FRAME_MEGABYTES) * width * height) / FULL_HD_PIXELS;
}
