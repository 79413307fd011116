import type { EncodeSettings, Timeline } from '../../timeline/index.js';
import { compileTimeline, isHardware, softwareEncodeSettings } from '../../timeline/index.js';
import { drawDrawings } from '../draw/draw-drawings.js';
import { drawElements } from '../draw/draw-elements.js';
import type { RenderParts } from '../render-parts.js';
import { timed } from '../render-profile.js';
import { lostParts } from './lost-parts.js';
import { type PlanRequest, type SettledMovie, settleMovie } from './settle-movie.js';
import { findUncached, type Uncached } from './uncached.js';

/** A movie with nothing left open but the encoding. */
export interface Plan extends Pick<SettledMovie, 'movie' | 'durations' | 'durationSeconds' | 'warnings'> {
  timeline: Timeline;
  /** What takes over where the timeline's encoder gives out. Absent: nothing. */
  inSoftware?: EncodeSettings;
  uncached: Uncached;
}

/** Everything before the first frame, in order: files are fetched, lengths settled, elements drawn, the timeline compiled. */
export async function planMovie(request: PlanRequest, parts: RenderParts, report: (part: number) => void = () => {}): Promise<Plan> {
  const settled = await settleMovie(request, parts, (part) => report(part * SETTLED));
  const plan = await drawMovie(settled, request, parts);
  report(1);
  return plan;
}

/** By then so much of the planning is done. */
const SETTLED = 0.8;

/** What is no file of its own is drawn, and the timeline compiled. */
export async function drawMovie(settled: SettledMovie, { signal, workDir, encode, profile }: PlanRequest, parts: RenderParts): Promise<Plan> {
  const { movie, durations, media, masks, words, settings } = settled;
  const began = performance.now();
  const files = await timed(profile, 'draw', () => drawDrawings({ movie, media, masks, workDir, signal }, parts));
  const drawn = await timed(profile, 'draw', () => drawElements({ movie, durations, workDir, signal, media, words }, parts)).finally(() =>
    parts.sprites.fonts.files.close(),
  );
  const timeline = compileTimeline({ movie, durations, ...files, pieces: drawn.pieces, pages: drawn.pages, ...settings });
  profile?.addRest('plan', (performance.now() - began) / 1000, ['draw']);
  return {
    movie,
    durations,
    durationSeconds: settled.durationSeconds,
    timeline,
    ...(isHardware(settings.encoder) && { inSoftware: softwareEncodeSettings(movie, encode) }),
    uncached: findUncached(movie, durations, timeline),
    warnings: [...settled.warnings, ...drawn.warnings, ...lostParts(movie, durations, media)],
  };
}
