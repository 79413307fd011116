import type { Clip } from '../contract/index.js';

/** The clips and, after each group, its members at all levels. */
export function withMembers(clips: readonly Clip[]): Clip[] {
  return clips.flatMap((clip) => (clip.clips === undefined ? [clip] : [clip, ...withMembers(clip.clips)]));
}
