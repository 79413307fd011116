import type { Element, Span } from '../../script/index.js';

export type { Span } from '../../script/index.js';

export function clipTiming(span: Span): { start: number; frames: number } {
  return { start: span.startFrame, frames: span.frames };
}

/** An element's fades in frames. */
export function fadeFrames(element: Pick<Element, 'fadeIn' | 'fadeOut'>, fps: number): { fadeIn?: number; fadeOut?: number } {
  const fadeIn = Math.round(element.fadeIn * fps);
  const fadeOut = Math.round(element.fadeOut * fps);
  return { ...(fadeIn > 0 ? { fadeIn } : {}), ...(fadeOut > 0 ? { fadeOut } : {}) };
}
