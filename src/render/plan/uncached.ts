import type { AudibleElement, Element, Movie, ResolvedDurations, Scene, Span } from '../../script/index.js';
import { segmentRange, type Timeline } from '../../timeline/index.js';

/** What `cache: false` excludes from the segment cache: everything if set for the movie, else the sections that show the scene or element, and the audio if it is audible. */
export interface UncachedContent {
  /** Indexes of sections of the timeline. */
  sections: ReadonlySet<number>;
  audio: boolean;
}

/** Finds the sections and the audio that must not come from the segment cache. */
export function findUncached(movie: Movie, durations: ResolvedDurations, timeline: Timeline): UncachedContent {
  return { sections: uncachedSections(movie, durations, timeline), audio: isAudioUncached(movie) };
}

/** Whether the audio must not come from the segment cache. */
export function isAudioUncached(movie: Movie): boolean {
  const inScenes = movie.scenes.flatMap((scene) => uncachedElements(scene));
  return movie.cache === false || inScenes.concat(movie.elements.filter(({ cache }) => cache === false)).some(isAudible);
}

function uncachedSections(movie: Movie, durations: ResolvedDurations, timeline: Timeline): ReadonlySet<number> {
  const all = movie.cache === false;
  const sections = new Set<number>();
  const add = (span: Span | undefined): void => {
    for (const section of sectionsShowing(span, timeline)) sections.add(section);
  };
  for (const [index, scene] of movie.scenes.entries()) {
    if (all || scene.cache === false || uncachedElements(scene).some(isVisible)) add(visibleSpan(timeline, index));
  }
  for (const [index, element] of movie.elements.entries()) {
    if (element.cache === false && isVisible(element)) add(durations.elements[index]);
  }
  return sections;
}

function uncachedElements(scene: Scene): Element[] {
  return scene.elements.filter((element) => scene.cache === false || element.cache === false);
}

/** Frames that show a scene, including the transition to the next one. */
function visibleSpan({ sections }: Timeline, index: number): Span | undefined {
  const section = sections[index];
  return section && { startFrame: section.start, frames: section.frames + (sections[index + 1]?.transition?.frames ?? 0) };
}

/** Sections whose segments show some of these frames. */
function sectionsShowing(span: Span | undefined, timeline: Timeline): number[] {
  return [...timeline.sections.keys()].filter((index) => {
    const { first, end } = segmentRange(timeline, index);
    return span !== undefined && span.startFrame < end && span.startFrame + span.frames > first;
  });
}

function isVisible({ type }: Element): boolean {
  return type !== 'audio' && type !== 'voice';
}

function isAudible(element: Element): element is AudibleElement {
  return element.type === 'audio' || element.type === 'voice' || element.type === 'video';
}
