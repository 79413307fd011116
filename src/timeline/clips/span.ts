import type { Element, Span } from '../../script/index.js';

/** Start and length of a clip, in frames. */
export function clipTiming(span: Span): { start: number; frames: number } {
  return { start: span.startFrame, frames: span.frames };
}

/** An element's fades in frames; absent when 0. */
export function fadeFrames(element: Pick<Element, 'fadeIn' | 'fadeOut'>, fps: number): { fadeIn?: number; fadeOut?: number } {
  const fadeIn = Math.round(element.fadeIn * fps);
  const fadeOut = Math.round(element.fadeOut * fps);
  return { ...(fadeIn > 0 ? { fadeIn } : {}), ...(fadeOut > 0 ? { fadeOut } : {}) };
}
