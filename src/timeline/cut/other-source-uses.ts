import type { Clip, Timeline } from '../../contract/index.js';

/**
 * Clips outside the segment that show one of its sources, reduced to their sizes and placed after the last visible frame. The engine
 * prepares a source for the largest size in the document, so a segment must know the sizes used in the rest of the movie.
 */
export function otherSourceUses(timeline: Timeline, seen: readonly Clip[], end: number): Clip[] {
  const here = new Set(seen);
  const known = new Set(seen.flatMap((clip) => usesIn(clip).map(textOf)));
  const sources = [...new Set(seen.flatMap((clip) => usesIn(clip).map(({ source }) => source)))];
  const uses = new Map<string, Clip>();
  for (const clips of [timeline.under, ...timeline.sections.map((section) => section.clips), timeline.over]) {
    for (const use of clips.filter((clip) => !here.has(clip)).flatMap(usesIn)) {
      const order = sources.indexOf(use.source);
      // Keyed by the order of use in the segment, because source indexes depend on the rest of the movie.
      if (order >= 0 && !known.has(textOf(use))) uses.set(`${order} ${use.as} ${JSON.stringify([use.size, use.groups])}`, asClip(use, end));
    }
  }
  return [...uses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, clip]) => clip);
}

interface Use {
  source: number;
  as: 'source' | 'mask';
  size: Pick<Clip, 'box' | 'crop' | 'scale' | 'piece' | 'mask' | 'perspective'>;
  /** Sizes of the groups around the clip, from the innermost. */
  groups?: Array<Use['size']>;
}

function usesIn(clip: Clip): Use[] {
  const size = sizeOf(clip);
  const { source, mask, crop, clips = [] } = clip;
  const uses: Use[] = [];
  if (source !== undefined) uses.push({ source, as: 'source', size: { ...size, ...(crop === undefined ? {} : { crop }) } });
  if (mask !== undefined) uses.push({ source: mask.source, as: 'mask', size: { ...size, mask: { ...mask, source: 0 } } });
  return [...uses, ...clips.flatMap(usesIn).map((use) => ({ ...use, groups: [...(use.groups ?? []), size] }))];
}

function sizeOf({ box, scale, piece, perspective }: Clip): Use['size'] {
  const { scaleX, scaleY } = piece ?? {};
  return {
    box: { x: 0, y: 0, width: box.width, height: box.height },
    ...(scale === undefined ? {} : { scale }),
    ...(perspective?.scale === undefined ? {} : { perspective: { scale: perspective.scale } }),
    ...(scaleX === undefined && scaleY === undefined
      ? {}
      : { piece: { ...(scaleX === undefined ? {} : { scaleX }), ...(scaleY === undefined ? {} : { scaleY }) } }),
  };
}

function asClip({ source, as, size, groups = [] }: Use, start: number): Clip {
  const { mask, ...rest } = size;
  const content = as === 'source' ? { source } : { fill: '#00000000', ...(mask === undefined ? {} : { mask: { ...mask, source } }) };
  const member: Clip = { ...content, start: groups.length === 0 ? start : 0, frames: 1, ...rest };
  return groups.reduce<Clip>((clip, group, index) => ({ ...group, clips: [clip], start: index + 1 === groups.length ? start : 0, frames: 1 }), member);
}

function textOf(use: Use): string {
  return JSON.stringify(use);
}
