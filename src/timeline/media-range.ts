import type { AudioElement, VideoElement } from '../script/index.js';
import type { MediaFile } from './media-file.js';
import type { MediaRange } from './timeline.js';

/** A picture that moves, in the rounds that its file asks for. */
export function animationRange(plays: number): MediaRange {
  return { in: 0, loops: plays === 0 ? -1 : plays };
}

/** Which stretch of its media an element plays. */
export function mediaRange(element: VideoElement | AudioElement, file: MediaFile): MediaRange {
  const from = element.seek < 0 ? Math.max(0, file.durationSeconds + element.seek) : element.seek;
  return { in: from, ...(element.loop === 1 ? {} : { loops: element.loop === 0 ? 1 : element.loop }) };
}
