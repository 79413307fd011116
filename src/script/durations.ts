import { minTextSeconds } from './animation/index.js';
import { ContainerLength, type TimedContent } from './container-length.js';
import type { Element, Movie, TextStyle } from './movie.js';
import { Playback, type PlaybackSpeed } from './playback.js';
import { estimateSpeechSeconds, SILENT_MODEL } from './speech-length.js';

/** A frame range. Elements count from the start of their scene, movie-level elements from the start of the movie. */
export interface Span {
  startFrame: number;
  /** 0 when the element starts after the end of its container. */
  frames: number;
}

/** Frames of a scene and its elements. */
export interface ResolvedScene extends Span {
  /** In script order. */
  elements: Span[];
}

/** Frames of a whole movie; arrays are in script order. */
export interface ResolvedDurations {
  totalFrames: number;
  scenes: ResolvedScene[];
  elements: Span[];
}

/** Returns the natural duration of an element's media in seconds, or undefined when unknown. */
export type NaturalDuration = (element: Element) => number | undefined;

/** Estimated length of media whose duration is unknown, in seconds. */
export const DEFAULT_CLIP_SECONDS = 10;
/** Length of a scene whose elements have no length. */
export const DEFAULT_SCENE_SECONDS = 5;
/** Length of an element without a natural duration: image, page, or component whose manifest sets none. */
export const DEFAULT_IMAGE_SECONDS = 5;
/** Natural duration of each text style: its animation plus reading time; 0 for styles without animation. */
export const TEXT_STYLE_SECONDS: Readonly<Record<TextStyle, number>> = {
  '001': 0,
  '002': 5,
  '003': 10,
  '004': 5,
  '005': 5,
  '006': 5,
  '007': 5,
  '008': 5,
  '009': 5,
  '010': 5,
  '011': 5,
};

/** An element's time within its container, in seconds. */
interface Timing extends TimedContent {
  /** Lasts to the end of the container instead of for `length`. */
  toEnd: boolean;
  /** Seconds that the container of an animated text lasts at least from the text's start. */
  min?: number;
}

/**
 * Resolves the frames of all scenes and elements. A scene without a duration is as long as its longest element; elements that
 * last as long as their container do not count, except that an animated text is complete before it leaves; images of default length only where nothing else does (see ContainerLength), and
 * the fallback is 5 s. The movie is as long as its scenes together or its longest movie-level element. Scenes tile the movie
 * without gaps; boundaries are rounded from their absolute time, so rounding errors do not accumulate.
 */
export function resolveDurations(movie: Movie, naturalSeconds: NaturalDuration): ResolvedDurations {
  const fps = movie.fps.num / movie.fps.den;
  const scenes: ResolvedScene[] = [];
  let endSeconds = 0;
  let endFrame = 0;
  for (const scene of movie.scenes) {
    const plan = planElements(scene.elements, naturalSeconds);
    const { timings, content } = plan;
    const seconds =
      scene.duration === 'auto' ? Math.max(content.end() || DEFAULT_SCENE_SECONDS, ...timings.map(({ start, min = 0 }) => start + min)) : scene.duration;
    endSeconds += seconds;
    const startFrame = endFrame;
    endFrame = Math.max(startFrame + 1, frameAt(endSeconds, fps));
    const container = { seconds, frames: endFrame - startFrame, fps };
    scenes.push({ startFrame, frames: container.frames, elements: spansOf(plan, container) });
  }
  const plan = planElements(movie.elements, naturalSeconds);
  // Movie-level images do not extend the movie.
  const totalFrames = Math.max(endFrame, frameAt(plan.content.endWithoutImages, fps));
  const container = { seconds: totalFrames / fps, frames: totalFrames, fps };
  return { totalFrames, scenes, elements: spansOf(plan, container) };
}

/** Times of the elements of one container, by their index in the list of all. */
interface Plan {
  timings: Array<Timing & { index: number; members?: Plan }>;
  content: ContainerLength<Timing>;
}

/** Plans the elements of a scene or movie, or those of a group by its path. */
function planElements(elements: readonly Element[], naturalSeconds: NaturalDuration, group?: string): Plan {
  const own = [...elements.entries()].filter(([, element]) => element.group === group);
  const lastChained = own.findLastIndex(([, element]) => element.start === -1);
  const content = new ContainerLength<Timing>();
  const timings = own.map(([index, element], order) => {
    const chained = element.start === -1;
    // In a sequence, an element ends where the next one starts.
    if (chained) for (const flexible of content.resolveFlexible()) flexible.toEnd = false;
    const start = chained ? content.endWithoutImages : element.start;
    const isFlexible = !chained && element.duration === 'natural' && hasNoLength(element);
    const members = element.type === 'group' ? planElements(elements, naturalSeconds, element.path) : undefined;
    const timing = { index, start, isFlexible, ...lengthAndEnd(element, naturalSeconds, order < lastChained, members), ...(members && { members }) };
    if (isFlexible) timing.toEnd = true;
    content.add(timing);
    return timing;
  });
  return { timings, content };
}

/** The spans of all elements of a plan in the order of the list; members of a group count from the start of the outermost container too. */
function spansOf(plan: Plan, container: Container): Span[] {
  const spans: Span[] = [];
  const place = ({ timings }: Plan, within: Container, from: number): void => {
    for (const { index, members, ...timing } of timings) {
      const span = spanIn(timing, within);
      spans[index] = { startFrame: from + span.startFrame, frames: span.frames };
      if (members !== undefined) place(members, { seconds: span.frames / within.fps, frames: span.frames, fps: within.fps }, from + span.startFrame);
    }
  };
  place(plan, container, 0);
  return spans;
}

function lengthAndEnd(
  element: Element,
  naturalSeconds: NaturalDuration,
  sequenced: boolean,
  members: Plan | undefined,
): Pick<Timing, 'length' | 'toEnd' | 'min'> {
  // A text without a length of its own does not shorten a scene of other elements to its animations.
  const min = element.type === 'text' ? minTextSeconds(element.animate, element.text) : 0;
  if (element.duration === 'container') return { length: 0, toEnd: true, min };
  if (element.duration !== 'natural') return { length: element.duration + element.extraTime, toEnd: false };
  switch (element.type) {
    case 'text': {
      const length = TEXT_STYLE_SECONDS[element.style];
      if (length === 0 && (!sequenced || min === 0)) return { length: 0, toEnd: true, min };
      return { length: Math.max(length, min) + element.extraTime, toEnd: false };
    }
    case 'image':
      if (element.loop !== undefined) return playedLength(element, { seek: 0, loop: element.loop }, { naturalSeconds, sequenced });
      return { length: DEFAULT_IMAGE_SECONDS + element.extraTime, toEnd: !sequenced };
    case 'html':
      return { length: DEFAULT_IMAGE_SECONDS + element.extraTime, toEnd: !sequenced };
    case 'component':
      return { length: (element.seconds ?? DEFAULT_IMAGE_SECONDS) + element.extraTime, toEnd: false };
    case 'audiogram':
    case 'subtitles':
      return { length: 0, toEnd: true };
    case 'voice':
      if (element.model === SILENT_MODEL) return { length: 0, toEnd: false };
      return { length: (naturalSeconds(element) ?? estimateSpeechSeconds(element.text, element.speed)) + element.extraTime, toEnd: false };
    case 'video':
    case 'audio':
      return playedLength(element, element, { naturalSeconds, sequenced });
    case 'group': {
      const length = members?.content.endWithoutImages ?? 0;
      const longest = Math.max(0, ...(members?.timings ?? []).map((timing) => timing.start + (timing.min ?? 0)));
      return { length: length === 0 ? 0 : length + element.extraTime, toEnd: length === 0, min: longest };
    }
  }
}

/** Whether an element lasts as long as its container unless it says otherwise. */
const hasNoLength = (element: Element): boolean => element.type === 'html' || (element.type === 'image' && element.loop === undefined);

function playedLength(
  element: Element,
  range: PlayedRange,
  { naturalSeconds, sequenced }: { naturalSeconds: NaturalDuration; sequenced: boolean },
): Pick<Timing, 'length' | 'toEnd'> {
  return { length: playbackSeconds(range, naturalSeconds(element)) + element.extraTime, toEnd: range.loop === -1 && !sequenced };
}

/** The part of its media that an element plays, and how fast. */
export interface PlayedRange extends PlaybackSpeed {
  seek: number;
  loop: number;
}

/** Seconds that media of a given duration plays: from `seek` on, for all loops, at its speed, with its freezes. An endless loop counts once. */
export function playbackSeconds(element: PlayedRange, media: number | undefined): number {
  const pass = media === undefined ? DEFAULT_CLIP_SECONDS : element.seek >= 0 ? media - element.seek : Math.min(media, -element.seek);
  return new Playback(element).endOf(Math.max(0, pass) * Math.max(1, element.loop));
}

interface Container {
  seconds: number;
  frames: number;
  fps: number;
}

function spanIn(timing: Timing, container: Container): Span {
  const { seconds, frames, fps } = container;
  const startFrame = Math.min(frameAt(timing.start, fps), frames);
  const endSeconds = timing.start + timing.length;
  // A scene's frame count depends on its position in the movie; an element that ends with the scene must not end a frame early.
  const toEnd = timing.toEnd || endSeconds >= seconds - 0.5 / fps;
  const end = toEnd ? frames : Math.min(frames, Math.max(startFrame + 1, frameAt(endSeconds, fps)));
  return { startFrame, frames: Math.max(0, end - startFrame) };
}

/** Rounds halves up, also where floating-point error puts the product just below. */
function frameAt(seconds: number, fps: number): number {
  return Math.round(seconds * fps + 1e-6);
}
