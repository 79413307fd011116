import type { MediaRange } from '../contract/index.js';
import type { AudioElement, VideoElement } from '../script/index.js';
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
    ...(element.speed === 1 ? {} : { speed: element.speed, ...(element.keepPitch ? {} : { keepsPitch: false }) }),
  };
}
