import type { SegmentResult } from '../../engine/index.js';
import { type EncoderName, encoders, type FrameRange, type OutputSegmentSpec } from '../../timeline/index.js';
import { composedPath, type Segment, type VideoPlan } from '../encode/segments.js';
import type { OutputSpec } from './output-spec.js';

/** A video whose segments may be encoded beside other outputs. */
export interface ComposedVideo {
  plan: VideoPlan;
  /** Those that no cache has. */
  missing: readonly Segment[];
}

/** What one composition makes. */
export interface Batch {
  specs: OutputSpec[];
  segments: OutputSegmentSpec[];
  /** Of each video that has segments in it. */
  encoders: EncoderName[];
}

/** Results of segments, by the path at which they are. */
export type ComposedSegments = ReadonlyMap<string, SegmentResult>;

/** Megabytes that an encoder of Full HD frames needs, measured. */
const encoderMegabytes: Readonly<Record<string, number>> = { h264: 250, hevc: 345, av1: 360, vp9: 240 };
/** Of encoders that keep one frame or write them to disk. */
const FRAME_MEGABYTES = 45;
const FULL_HD_PIXELS = 1920 * 1080;

/** Megabytes of all encoders that run at once. */
const MAX_MEGABYTES = 350;

/** A segment is encoded beside others if they show at least this part of its frames: alone, it may be rendered in parallel and without leaving the graphics device. */
const MIN_SHARED_PART = 0.25;

/**
 * Divides files and videos into groups that are composed one after the other, because all encoders at once would need too much memory.
 * Segments of which other outputs show little are left out: they are rendered alone.
 */
export function batchOutputs(specs: readonly OutputSpec[], videos: readonly ComposedVideo[] = []): Batch[] {
  const groups: Array<{ specs: OutputSpec[]; videos: ComposedVideo[]; megabytes: number }> = [];
  const groupFor = (megabytes: number) => {
    let group = groups.find((each) => each.megabytes + megabytes <= MAX_MEGABYTES);
    if (group === undefined) {
      group = { specs: [], videos: [], megabytes: 0 };
      groups.push(group);
    }
    group.megabytes += megabytes;
    return group;
  };
  for (const video of videos) groupFor(megabytesOf(frameOf(video.plan))).videos.push(video);
  for (const spec of specs) groupFor(megabytesOf(spec)).specs.push(spec);
  return groups.map(batchOf).filter((batch) => batch.specs.length + batch.segments.length > 0);
}

function megabytesOf({ codec, width = 0, height = 0 }: Pick<OutputSpec, 'codec' | 'width' | 'height'>): number {
  return (((codec && encoderMegabytes[codec]) ?? FRAME_MEGABYTES) * width * height) / FULL_HD_PIXELS;
}

const frameOf = ({ timeline, size = timeline.canvas }: VideoPlan) => ({ ...size, codec: encoders[timeline.encode.encoder].codec });

function batchOf({ specs, videos }: { specs: OutputSpec[]; videos: readonly ComposedVideo[] }): Batch {
  const shown = specs.filter(({ width }) => width !== undefined);
  const batch: Batch = { specs, segments: [], encoders: [] };
  for (const video of videos) {
    const others: FrameRange[] = [...shown, ...videos.filter((other) => other !== video).flatMap(({ missing }) => missing.map(rangeOf))];
    const shared = video.missing.filter((segment) => isShared(rangeOf(segment), others));
    batch.segments.push(...shared.map((segment) => specOf(segment, video.plan)));
    if (shared.length > 0) batch.encoders.push(video.plan.timeline.encode.encoder);
  }
  return batch;
}

const rangeOf = ({ first, cut: { range } }: Segment): FrameRange => ({ first, end: first + range.end - range.first });

function isShared({ first, end }: FrameRange, others: readonly FrameRange[]): boolean {
  const common = others.reduce((sum, other) => sum + Math.max(0, Math.min(end, other.end) - Math.max(first, other.first)), 0);
  return common >= (end - first) * MIN_SHARED_PART;
}

const specOf = (segment: Segment, { size, timeline }: VideoPlan): OutputSegmentSpec => ({
  path: composedPath(segment),
  ...rangeOf(segment),
  ...size,
  encode: timeline.encode,
});
