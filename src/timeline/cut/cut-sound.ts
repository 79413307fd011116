import type { Timeline } from '../timeline.js';
import { pickSources } from './pick-sources.js';

/** What decides the sound, and nothing else. Pictures of no size cannot be asked for, so they are as small as can be. */
export function cutSound(timeline: Timeline): Timeline {
  const { fps, frames } = timeline.canvas;
  const { copy: _pictures, ...encode } = timeline.encode;
  return pickSources({
    ...timeline,
    encode,
    canvas: { width: 2, height: 2, fps, frames },
    under: [],
    sections: [{ label: 'sound', start: 0, frames, background: '#000000ff', clips: [] }],
    over: [],
  });
}
