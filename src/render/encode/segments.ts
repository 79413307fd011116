import { join } from 'node:path';
import { cutSegment, type SegmentTimeline, segmentRange, splitRange } from '../../timeline/index.js';
import type { Plan } from '../plan/plan-movie.js';

/** In pixels. */
export interface FrameSize {
  width: number;
  height: number;
}

/** A segment whose frames are scaled to a size; absent: that of the canvas. */
export interface SizedSegment extends SegmentTimeline {
  size?: FrameSize;
}

/** A video to encode in segments. */
export interface VideoPlan extends Pick<Plan, 'timeline' | 'uncached' | 'softwareFallback'> {
  /** Size to which the canvas is scaled; absent: the canvas. */
  size?: FrameSize;
  /** Distinguishes the segments of several videos of one movie. */
  name?: string;
}

/** Input of one encoder run: a section, or a part of a long one. */
export interface Segment {
  section: number;
  label: string;
  cut: SizedSegment;
  /** First frame in the movie. */
  first: number;
  /** Of its packets. */
  path: string;
}

/** Splits sections in the same way as a distributed render, so that the output does not depend on the number of hosts. */
export function segmentsOf({ timeline, size, name }: Pick<VideoPlan, 'timeline' | 'size' | 'name'>, workDir: string): Segment[] {
  const segments = timeline.sections.flatMap(({ label }, section) => {
    const cut = cutSegment(timeline, section);
    const offset = segmentRange(timeline, section).first - cut.range.first;
    return splitRange(cut.range, timeline).map((range) => ({ section, label, cut: { ...cut, range, ...(size && { size }) }, first: range.first + offset }));
  });
  return segments.map((segment, index) => ({ ...segment, path: segmentPath(workDir, index, name) }));
}

/** Path of the packets of segment `index` of the video `name`. */
export function segmentPath(workDir: string, index: number, name = 'segment'): string {
  return join(workDir, `${name}-${String(index).padStart(4, '0')}.nut`);
}

/** Where a segment is encoded beside other outputs: a cache removes what it does not have from the segment's own path. */
export const composedPath = ({ path }: Pick<Segment, 'path'>): string => `${path}.composed`;
