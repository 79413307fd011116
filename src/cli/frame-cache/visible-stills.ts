import type { Clip, Timeline } from '../../timeline/index.js';

/** Returns the source indices of all images that a frame may show. Images hidden behind others are included. */
export function visibleStills({ sources, sections, under, over, canvas }: Timeline, frame: number): number[] {
  const shown = new Set([...sourcesAt(under, frame), ...sourcesAt(over, frame)]);
  sections.forEach((section, index) => {
    const next = sections[index + 1];
    // A section's last frame is repeated under the following transition, or until the end of the movie.
    const tail = next === undefined ? canvas.frames - section.start - section.frames : (next.transition?.frames ?? 0);
    for (const source of sourcesAt(section.clips, frame - section.start, tail)) shown.add(source);
  });
  return [...shown].filter((source) => sources[source]?.kind === 'image');
}

/** Returns a JSON value of everything that decides at which sizes the engine scales a source. */
export function stillGeometry({ sections, under, over }: Timeline, source: number): unknown {
  const clips = [...under, ...sections.flatMap((section) => section.clips), ...over].filter((clip) => sourcesOf(clip).includes(source));
  return clips.map(({ source: own, box, crop, scale, piece, mask, perspective, clips: members }) => [
    own === source,
    box,
    crop,
    scale,
    piece,
    mask?.source === source,
    mask?.region,
    perspective?.scale,
    members,
  ]);
}

function sourcesAt(clips: readonly Clip[], frame: number, tail = 0): number[] {
  return clips.filter(({ start, frames }) => start <= frame && frame < start + frames + tail).flatMap(sourcesOf);
}

function sourcesOf({ source, mask, clips = [] }: Clip): number[] {
  return [source, mask?.source, ...clips.flatMap(sourcesOf)].filter((index) => index !== undefined);
}
