import { AppError } from '../../errors/index.js';
import type { AudibleElement } from '../../script/index.js';
import type { Span } from '../clips/span.js';
import { fadeFrames } from '../clips/span.js';
import { combine, keyframeCurve, product } from '../curves.js';
import type { MediaFile } from '../media-file.js';
import { mediaRange } from '../media-range.js';
import type { Sources } from '../sources.js';
import type { AudioClip } from '../timeline.js';

/** An element that is heard, and its clip. */
export interface AudibleClip {
  element: AudibleElement;
  file: MediaFile;
  clip: AudioClip;
  /** Index of its scene; absent: an element of the movie. */
  scene?: number;
}

/** What is heard of an element whose container starts at a frame of the movie; undefined: nothing. */
export function createAudioClip(
  element: AudibleElement,
  file: MediaFile,
  span: Span,
  containerStart: number,
  fps: number,
  sources: Sources,
): AudioClip | undefined {
  if (element.type !== 'video' && !file.hasAudio) {
    throw new AppError('RENDER_FAILED', { message: `${element.path}: the file has no sound that could be played.` });
  }
  if (element.muted || element.volume === 0 || !file.hasAudio) return undefined;
  return {
    source: sources.use(element.type === 'voice' ? 'audio' : element.type, file.path, element.path),
    start: containerStart + span.startFrame,
    frames: span.frames,
    gain: combine(keyframeCurve(element.keyframes, 'volume', span.frames, fps), element.volume, span.frames, product) ?? 1,
    ...fadeFrames(element, fps),
    media: element.type === 'voice' ? { in: 0 } : mediaRange(element, file),
  };
}

/** Frames that a clip's media could play from its start; a video's picture counts with its sound. */
export function playableFrameCount({ clip, file }: AudibleClip, fps: number): number {
  const { in: from, loops = 1 } = clip.media;
  if (loops < 0) return Number.POSITIVE_INFINITY;
  return Math.floor(Math.max(0, file.durationSeconds - from) * loops * fps + 1e-6);
}

/** Also heard through `curve`, whose frames count from the clip's start. */
export function multiplyGain(clip: AudioClip, curve: AudioClip['gain']): AudioClip {
  return { ...clip, gain: combine(clip.gain, curve, clip.frames, product) ?? 1 };
}
