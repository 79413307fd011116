import type { Clip, Timeline } from '../timeline.js';

/**
 * A source is made ready for the largest size at which the whole movie shows it. So clips elsewhere that show one of the
 * same sources come along with what decides their sizes alone, at the end, where nobody sees them.
 */
export function otherSourceUses(timeline: Timeline, seen: readonly Clip[], end: number): Clip[] {
  const here = new Set(seen);
  const known = new Set(seen.flatMap((clip) => usesIn(clip).map(textOf)));
  const sources = [...new Set(seen.flatMap((clip) => usesIn(clip).map(({ source }) => source)))];
  const uses = new Map<string, Clip>();
  for (const clips of [timeline.under, ...timeline.sections.map((section) => section.clips), timeline.over]) {
    for (const use of clips.filter((clip) => !here.has(clip)).flatMap(usesIn)) {
      const order = sources.indexOf(use.source);
      // By the order in which they are used here: a source's number depends on the rest of the movie.
      if (order >= 0 && !known.has(textOf(use))) uses.set(`${order} ${use.as} ${JSON.stringify(use.size)}`, asClip(use, end));
    }
  }
  return [...uses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, clip]) => clip);
}

interface Use {
  source: number;
  as: 'picture' | 'mask';
  size: Pick<Clip, 'box' | 'crop' | 'scale' | 'piece' | 'mask'>;
}

function usesIn({ source, mask, box, crop, scale, piece }: Clip): Use[] {
  const { scaleX, scaleY } = piece ?? {};
  const size: Use['size'] = {
    box: { x: 0, y: 0, width: box.width, height: box.height },
    ...(scale === undefined ? {} : { scale }),
    ...(scaleX === undefined && scaleY === undefined
      ? {}
      : { piece: { ...(scaleX === undefined ? {} : { scaleX }), ...(scaleY === undefined ? {} : { scaleY }) } }),
  };
  const uses: Use[] = [];
  if (source !== undefined) uses.push({ source, as: 'picture', size: { ...size, ...(crop === undefined ? {} : { crop }) } });
  if (mask !== undefined) uses.push({ source: mask.source, as: 'mask', size: { ...size, mask: { ...mask, source: 0 } } });
  return uses;
}

function asClip({ source, as, size }: Use, start: number): Clip {
  const { mask, ...rest } = size;
  const content = as === 'picture' ? { source } : { fill: '#00000000', ...(mask === undefined ? {} : { mask: { ...mask, source } }) };
  return { ...content, start, frames: 1, ...rest };
}

function textOf(use: Use): string {
  return JSON.stringify(use);
}
