import type { Timeline } from '../timeline.js';
import { compactSources } from './compact-sources.js';

/** What decides the sound, and nothing else. Pictures of no size cannot be asked for, so they are as small as can be. */
export function cutAudio(timeline: Timeline): Timeline {
  const { fps, frames } = timeline.canvas;
  const { copy: _pictures, ...encode } = timeline.encode;
  return compactSources({
    ...timeline,
    encode,
    canvas: { width: 2, height: 2, fps, frames },
    under: [],
    sections: [{ label: 'sound', start: 0, frames, background: '#000000ff', clips: [] }],
    over: [],
  });
}
