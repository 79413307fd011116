import type { Clip, Source } from '../../contract/index.js';
import type { FrameRange } from './frame-range.js';

/** Whether a clip overlaps the range. */
export function isVisibleIn(clip: Clip, range: FrameRange): boolean {
  return clip.start < range.end && clip.start + clip.frames > range.first;
}

/** Trims a clip to the range where that cannot change frames within it. Only clips without motion are trimmed at the start. */
export function cutClip(clip: Clip, range: FrameRange, sources: readonly Source[]): Clip {
  const ends = clip.start + clip.frames;
  const cut = ends - (clip.fadeOut ?? 0) >= range.end ? withoutFade(clip, 'fadeOut', { frames: range.end - clip.start }) : clip;
  const missed = range.first - clip.start;
  if (missed <= 0 || missed < (clip.fadeIn ?? 0) || !isStill(clip, sources)) return cut;
  return withoutFade(cut, 'fadeIn', { start: range.first, frames: cut.frames - missed });
}

function withoutFade(clip: Clip, fade: 'fadeIn' | 'fadeOut', changes: Partial<Clip>): Clip {
  const { [fade]: _over, ...rest } = clip;
  return { ...rest, ...changes };
}

/** Whether all frames of the clip are equal apart from fades. Members of a group may come and go. */
function isStill(clip: Clip, sources: readonly Source[]): boolean {
  if (clip.clips !== undefined) return false;
  const isStillSource = (index: number | undefined): boolean => index === undefined || sources[index]?.kind === 'image' || sources[index]?.kind === 'sprite';
  return isStillSource(clip.source) && isStillSource(clip.mask?.source) && clip.waveform === undefined && !hasKeyframes(clip);
}

function hasKeyframes(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null && 'frame' in item);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasKeyframes);
}
