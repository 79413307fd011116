import type { MediaRange } from '../contract/index.js';
import { type AudioElement, Playback, type VideoElement } from '../script/index.js';
import type { MediaFile } from './media-file.js';

/** Media range of an animated image with the given play count (0: endless). */
export function animationRange(plays: number): MediaRange {
  return { in: 0, loops: plays === 0 ? -1 : plays };
}

/** The range of its media that an element plays. */
export function mediaRange(element: VideoElement | AudioElement, file: MediaFile): MediaRange {
  const from = element.seek < 0 ? Math.max(0, file.durationSeconds + element.seek) : element.seek;
  return {
    in: from,
    ...(element.loop === 1 ? {} : { loops: element.loop === 0 ? 1 : element.loop }),
    ...speedOf(element),
    ...directionOf(element, from, file),
    ...(element.type === 'video' && element.blendsFrames === true && { blendFrames: true }),
  };
}

/** A reversed element plays what it would play forwards, so a duration of its own limits the part of the media. */
function directionOf(element: VideoElement | AudioElement, from: number, file: MediaFile): Pick<MediaRange, 'out' | 'reverse'> {
  if (!element.reverse) return {};
  const out = typeof element.duration === 'number' ? from + new Playback(element).mediaAt(element.duration) : Number.POSITIVE_INFINITY;
  return { ...(out < file.durationSeconds - 1e-6 ? { out } : {}), reverse: true };
}

function speedOf(element: VideoElement | AudioElement): Pick<MediaRange, 'speed' | 'keepsPitch'> {
  const { pieces } = new Playback(element);
  const [first] = pieces;
  const pitch = element.keepPitch || pieces.every(({ from, to }) => from === to && (from === 0 || from === 1)) ? {} : { keepsPitch: false };
  if (pieces.length === 1) return first === undefined || first.from === 1 ? {} : { speed: first.from, ...pitch };
  return { speed: pieces.map(({ time, from, to }) => (from === to ? { time, from } : { time, from, to })), ...pitch };
}
