import type { EncodeSettings, Timeline } from '../../timeline/index.js';
import { compileTimeline, isHardware, softwareEncodeSettings } from '../../timeline/index.js';
import { drawElements } from '../draw/draw-elements.js';
import { rasterizeSvgs } from '../draw/rasterize-svgs.js';
import type { RenderContext } from '../render-context.js';
import { timed } from '../render-profile.js';
import { type PlanRequest, type ResolvedMovie, resolveMovie } from './resolve-movie.js';
import { findUncached, type UncachedContent } from './uncached.js';
import { findUnplayedContent } from './unplayed-content.js';

/** A movie with nothing left open but the encoding. */
export interface Plan extends Pick<ResolvedMovie, 'movie' | 'durations' | 'durationSeconds' | 'warnings'> {
  timeline: Timeline;
  /** What takes over where the timeline's encoder gives out. Absent: nothing. */
  softwareFallback?: EncodeSettings;
  uncached: UncachedContent;
}

/** Everything before the first frame, in order: files are fetched, lengths settled, elements drawn, the timeline compiled. */
export async function planMovie(request: PlanRequest, parts: RenderContext, report: (part: number) => void = () => {}): Promise<Plan> {
  const settled = await resolveMovie(request, parts, (part) => report(part * RESOLVED_SHARE));
  const plan = await drawAndCompile(settled, request, parts);
  report(1);
  return plan;
}

/** By then so much of the planning is done. */
const RESOLVED_SHARE = 0.8;

/** What is no file of its own is drawn, and the timeline compiled. */
export async function drawAndCompile(settled: ResolvedMovie, { signal, workDir, encode, profile }: PlanRequest, parts: RenderContext): Promise<Plan> {
  const { movie, durations, media, masks, words, settings } = settled;
  const began = performance.now();
  const files = await timed(profile, 'draw', () => rasterizeSvgs({ movie, media, masks, workDir, signal }, parts));
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
    ...(isHardware(settings.encoder) && { softwareFallback: softwareEncodeSettings(movie, encode) }),
    uncached: findUncached(movie, durations, timeline),
    warnings: [...settled.warnings, ...drawn.warnings, ...findUnplayedContent(movie, durations, media)],
  };
}
