import type { Timeline } from '../contract/index.js';
import type { Movie } from '../script/index.js';
import type { MediaFile } from './media-file.js';

/** Place of the largest light among the numbers of a display. */
const PEAK = 8;

/** The mastering display that PQ outputs name: that of the brightest PQ video. Without one, or without such an output, it is the engine's. */
export function masteringDisplay({ movie, media }: { movie: Pick<Movie, 'outputs'>; media: ReadonlyMap<string, MediaFile> }): Pick<Timeline, 'mastering'> {
  if (!movie.outputs.some(({ hdr }) => hdr === 'pq')) return {};
  const displays = [...media.values()].flatMap(({ mastering }) => (mastering === undefined ? [] : [mastering]));
  const [brightest] = displays.sort((a, b) => (b[PEAK] ?? 0) - (a[PEAK] ?? 0));
  return brightest === undefined ? {} : { mastering: [...brightest] as NonNullable<Timeline['mastering']> };
}
