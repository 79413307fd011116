import type { Timeline } from '../../contract/index.js';
import { compactSources } from './compact-sources.js';

/** Reduces a timeline to what decides its audio. The canvas has the smallest valid size, because 0 is not allowed. */
export function cutAudio({ dither: _dither, ...timeline }: Timeline): Timeline {
  const { fps, frames } = timeline.canvas;
  const { copy: _copy, copyColors: _copyColors, ...encode } = timeline.encode;
  return compactSources({
    ...timeline,
    encode,
    canvas: { width: 2, height: 2, fps, frames },
    under: [],
    sections: [{ label: 'sound', start: 0, frames, background: '#000000ff', clips: [] }],
    over: [],
  });
}
