import type { Section, Timeline } from '../../contract/index.js';

/** Frames from `first` up to, not including, `end`. */
export interface FrameRange {
  first: number;
  end: number;
}

/**
 * The frames encoded as the segment of one section. A transition belongs to the segment before it: it starts with the previous
 * scene's frame, and an IDR frame there would encode that frame again. The last segment includes frames that overlays need past the scenes.
 */
export function segmentRange({ canvas, sections }: Pick<Timeline, 'canvas' | 'sections'>, index: number): FrameRange {
  const section = sections[index];
  if (section === undefined) throw new Error(`no section ${index}`);
  const next = sections[index + 1];
  return { first: segmentStart(section), end: next === undefined ? canvas.frames : segmentStart(next) };
}

/** First frame of a section's segment. A section less than twice as long as its transition keeps it, so that its segment is not nearly empty. */
function segmentStart({ start, frames, transition }: Section): number {
  return transition === undefined || 2 * transition.frames > frames ? start : start + transition.frames;
}
