import type { Clip, Section, Timeline } from '../timeline.js';
import { cutClip, isSeenIn } from './cut-clip.js';
import { type FrameRange, segmentRange } from './frame-range.js';
import { pickSources } from './pick-sources.js';
import { usesElsewhere } from './uses-elsewhere.js';

/** A stretch of a timeline and all that it takes to render it. */
export interface Cut {
  timeline: Timeline;
  range: FrameRange;
}

/**
 * What decides the pictures of one section, and nothing else. Times count from as near to its start as its clips allow, so
 * that the same scene makes the same document wherever it stands. Rendered, it makes the very pictures that the whole
 * timeline makes there.
 */
export function cutSegment(timeline: Timeline, index: number): Cut {
  const range = segmentRange(timeline, index);
  const section = timeline.sections[index] as Section;
  const before = section.transition === undefined ? undefined : timeline.sections[index - 1];
  const held = before === undefined ? [] : before.clips.filter((clip) => isSeenIn(clip, { first: before.frames - 1, end: before.frames }));
  const [seenUnder, seenOver] = [timeline.under, timeline.over].map((clips) => clips.filter((clip) => isSeenIn(clip, range))) as [Clip[], Clip[]];
  const seen = [...section.clips, ...held, ...seenUnder, ...seenOver];
  // A waveform shows the sound of the whole movie.
  if (seen.some(({ waveform }) => waveform !== undefined)) return { timeline, range };

  const [under, over] = [seenUnder, seenOver].map((clips) => clips.map((clip) => cutClip(clip, range, timeline.sources))) as [Clip[], Clip[]];
  const lead = Math.max(before?.frames ?? 0, ...[...under, ...over].map((clip) => range.first - clip.start));
  const frames = lead + range.end - range.first;
  const place = (clip: Clip): Clip => ({ ...clip, start: clip.start - range.first + lead });
  const goesOn = timeline.sections[index + 1]?.transition !== undefined;
  const { loudness: _ofTheSound, ...encode } = timeline.encode;
  const cut: Timeline = {
    ...timeline,
    canvas: { ...timeline.canvas, frames },
    under: under.map(place),
    sections: [...leadSections(lead, before, held), { ...section, start: lead, ...(goesOn ? { goesOn } : {}) }],
    over: [...over.map(place), ...usesElsewhere(timeline, seen, frames)],
    audio: [],
    encode,
  };
  return { timeline: pickSources(cut), range: { first: lead, end: frames } };
}

/** What stands before the section: the one whose last picture its transition shows, and before that nothing. */
function leadSections(lead: number, before: Section | undefined, clips: Clip[]): Section[] {
  const start = lead - (before?.frames ?? 0);
  const sections: Section[] = start > 0 ? [{ label: 'lead', start: 0, frames: start, background: '#000000ff', clips: [] }] : [];
  if (before !== undefined) sections.push({ label: before.label, start, frames: before.frames, background: before.background, clips });
  return sections;
}
