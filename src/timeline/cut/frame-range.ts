import type { Section, Timeline } from '../timeline.js';

/** Frames, `end` one past the last. */
export interface FrameRange {
  first: number;
  end: number;
}

/**
 * The pictures that are encoded as the segment of one section. Where a transition leads to a section, the segment before takes it: its first
 * pictures are those of the scene before, and a key frame there would code once more what has just been coded. The last segment takes what
 * overlays need past the scenes.
 */
export function segmentRange({ canvas, sections }: Pick<Timeline, 'canvas' | 'sections'>, index: number): FrameRange {
  const section = sections[index];
  if (section === undefined) throw new Error(`no section ${index}`);
  const next = sections[index + 1];
  return { first: segmentStart(section), end: next === undefined ? canvas.frames : segmentStart(next) };
}

/** A section that is hardly more than its transition keeps it: something has to be left. */
function segmentStart({ start, frames, transition }: Section): number {
  return transition === undefined || 2 * transition.frames > frames ? start : start + transition.frames;
}
