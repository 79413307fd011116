import type { Clip, Section, Timeline } from '../../contract/index.js';
import { withMembers } from '../members.js';
import { compactSources } from './compact-sources.js';
import { cutClip, isVisibleIn } from './cut-clip.js';
import { type FrameRange, segmentRange } from './frame-range.js';
import { otherSourceUses } from './other-source-uses.js';

/** A timeline reduced to what one segment needs, and the segment's frame range in it. */
export interface SegmentTimeline {
  timeline: Timeline;
  range: FrameRange;
}

/**
 * Reduces a timeline to what decides the frames of one segment. Times are rebased as near to the segment's start as its clips
 * allow, so that the same scene gives the same document (and cache key) anywhere in a movie. The rendered frames are identical
 * to those of the whole timeline.
 */
export function cutSegment(timeline: Timeline, index: number): SegmentTimeline {
  const range = segmentRange(timeline, index);
  const { before, section, after, seen: seenInScenes } = visibleSections(timeline, index, range);
  const [seenUnder, seenOver] = [timeline.under, timeline.over].map((clips) => clips.filter((clip) => isVisibleIn(clip, range))) as [Clip[], Clip[]];
  const seen = [...seenInScenes, ...seenUnder, ...seenOver];
  // A waveform shows the audio of the whole movie.
  if (withMembers(seen).some(({ waveform }) => waveform !== undefined)) return { timeline, range };

  const [under, over] = [seenUnder, seenOver].map((clips) => clips.map((clip) => cutClip(clip, range, timeline.sources))) as [Clip[], Clip[]];
  const starts = [before, section, ...under, ...over].map((shown) => shown?.start ?? range.first);
  const lead = range.first - Math.min(...starts);
  const place = <T extends { start: number }>(shown: T): T => ({ ...shown, start: shown.start - range.first + lead });
  const frames = lead + range.end - range.first;
  const { loudness: _loudness, ...encode } = timeline.encode;
  const cut: Timeline = {
    ...timeline,
    canvas: { ...timeline.canvas, frames },
    under: under.map(place),
    sections: padStart([before, section, after].filter((shown) => shown !== undefined).map(place)),
    over: [...over.map(place), ...otherSourceUses(timeline, seen, frames)],
    audio: [],
    encode,
  };
  return { timeline: compactSources(cut), range: { first: lead, end: frames } };
}

/** The section of a segment and the parts of its neighbours that transitions show; `seen` are the original clips. */
interface VisibleSections {
  before: Section | undefined;
  section: Section;
  after: Section | undefined;
  seen: Clip[];
}

function visibleSections({ sections, sources }: Timeline, index: number, range: FrameRange): VisibleSections {
  const { transition, ...section } = sections[index] as Section;
  const isLed = transition !== undefined && range.first === section.start;
  const before = isLed ? sections[index - 1] : undefined;
  const lastVisible = before?.clips.filter((clip) => isVisibleIn(clip, { first: before.frames - 1, end: before.frames })) ?? [];
  const own = section.clips.filter((clip) => isVisibleIn(clip, { first: range.first - section.start, end: section.frames }));
  const next = sections[index + 1];
  const shown = { first: 0, end: next === undefined ? 0 : range.end - next.start };
  const after = shown.end > 0 ? next : undefined;
  const coming = after?.clips.filter((clip) => isVisibleIn(clip, shown)) ?? [];
  return {
    before: before && { ...withoutTransition(before), clips: lastVisible },
    section: {
      ...{ ...section, clips: own },
      ...(transition !== undefined && (isLed ? { transition } : { ledUntil: transition.frames })),
      ...(next?.transition !== undefined && after === undefined && { goesOn: true }),
    },
    after: after && { ...after, frames: shown.end, clips: coming.map((clip) => cutClip(clip, shown, sources)) },
    seen: [...own, ...lastVisible, ...coming],
  };
}

function withoutTransition({ transition: _over, ...section }: Section): Section {
  return section;
}

/** Inserts an empty section at the start, because sections must tile the canvas from frame 0. */
function padStart(sections: Section[]): Section[] {
  const frames = sections[0]?.start ?? 0;
  return frames > 0 ? [{ label: 'lead', start: 0, frames, background: '#000000ff', clips: [] }, ...sections] : sections;
}
