import type { Timeline } from '../timeline.js';

/** Frames, `end` one past the last. */
export interface FrameRange {
  first: number;
  end: number;
}

/** The pictures of one section. The last one takes what overlays need past the scenes. */
export function segmentRange({ canvas, sections }: Pick<Timeline, 'canvas' | 'sections'>, index: number): FrameRange {
  const section = sections[index];
  if (section === undefined) throw new Error(`no section ${index}`);
  return { first: section.start, end: index === sections.length - 1 ? canvas.frames : section.start + section.frames };
}
