import type { Clip, Source, Timeline } from '../../contract/index.js';

/** Drops unused sources and renumbers the others in the order of first use. */
export function compactSources(timeline: Timeline): Timeline {
  const picked = new Map<number, number>();
  const use = (source: number): number => picked.get(source) ?? picked.set(source, picked.size).size - 1;
  const clipOf = (clip: Clip): Clip => ({
    ...clip,
    ...(clip.source === undefined ? {} : { source: use(clip.source) }),
    ...(clip.grade === undefined ? {} : { grade: { ...clip.grade, tables: clip.grade.tables.map(({ source }) => ({ source: use(source) })) } }),
    ...(clip.mask === undefined ? {} : { mask: { ...clip.mask, source: use(clip.mask.source) } }),
    ...(clip.clips === undefined ? {} : { clips: clip.clips.map(clipOf) }),
  });
  const under = timeline.under.map(clipOf);
  const sections = timeline.sections.map((section) => ({
    ...section,
    clips: section.clips.map(clipOf),
    ...(section.transition?.luma && {
      transition: { ...section.transition, luma: { ...section.transition.luma, source: use(section.transition.luma.source) } },
    }),
  }));
  const over = timeline.over.map(clipOf);
  const audio = timeline.audio.map((clip) => ({ ...clip, source: use(clip.source) }));
  return { ...timeline, sources: [...picked.keys()].map((index) => timeline.sources[index] as Source), under, sections, over, audio };
}
