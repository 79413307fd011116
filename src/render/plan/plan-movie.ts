import { countGraphicsDevices } from '../../engine/index.js';
import type { Cue } from '../../graphics/index.js';
import type { EncodeSettings, Timeline } from '../../timeline/index.js';
import { chooseCompositor, compileTimeline, isHardware, softwareEncodeSettings } from '../../timeline/index.js';
import { drawElements } from '../draw/draw-elements.js';
import { drawVectorFiles } from '../draw/draw-vector-files.js';
import { mainEncodeSettings } from '../outputs/output-files.js';
import type { RenderContext } from '../render-context.js';
import { timed } from '../render-profile.js';
import { findFileWarnings } from './file-warnings.js';
import { chooseKeyColors } from './key-colors.js';
import { type PlanRequest, type ResolvedMovie, resolveMovie } from './resolve-movie.js';
import { findScriptWarnings } from './script-warnings.js';
import { findUncached, type UncachedContent } from './uncached.js';
import { findUnplayedContent } from './unplayed-content.js';

/** A movie that is ready to encode. */
export interface Plan extends Pick<ResolvedMovie, 'movie' | 'durations' | 'durationSeconds' | 'warnings'> {
  timeline: Timeline;
  /** Settings of the encoder that replaces a failed hardware encoder. Absent for a software encoder. */
  softwareFallback?: EncodeSettings;
  uncached: UncachedContent;
  /** In seconds of the movie. */
  captions: readonly Cue[];
}

/** Plans a movie: fetches files, resolves durations, draws elements and compiles the timeline. */
export async function planMovie(request: PlanRequest, parts: RenderContext, report: (part: number) => void = () => {}): Promise<Plan> {
  const resolved = await resolveMovie(request, parts, (part) => report(part * RESOLVED_SHARE));
  const plan = await drawAndCompile(resolved, request, parts);
  report(1);
  return plan;
}

/** Share of resolveMovie in the progress of planning. */
const RESOLVED_SHARE = 0.8;

/** Draws the elements of a resolved movie and compiles its timeline. */
export async function drawAndCompile(resolved: ResolvedMovie, { signal, workDir, encode, profile }: PlanRequest, given: RenderContext): Promise<Plan> {
  const { durations, media, masks, grades, words, transcripts, assets, settings } = resolved;
  const parts = { ...given, assets };
  const began = performance.now();
  const files = await timed(profile, 'draw', () => drawVectorFiles({ movie: resolved.movie, durations, media, masks, workDir, signal }, parts));
  const { movie, warnings } = await timed(profile, 'draw', () => chooseKeyColors(resolved.movie, files.media, parts.engine, signal));
  const drawn = await timed(profile, 'draw', () => drawElements({ movie, durations, workDir, signal, media, words, transcripts }, parts)).finally(() =>
    parts.sprites.fonts.files.close(),
  );
  const timeline = compileTimeline({ movie, durations, ...files, grades, pieces: drawn.pieces, pages: drawn.pages, ...settings });
  // A hardware encoder opens its card anyway. Hosts without a card keep `auto`: movies of all lengths share their cached segments there.
  if (countGraphicsDevices() > 0 && !isHardware(settings.encoder)) timeline.compositor = chooseCompositor(timeline);
  profile?.addRest('plan', (performance.now() - began) / 1000, ['draw']);
  return {
    movie,
    durations,
    durationSeconds: resolved.durationSeconds,
    timeline,
    ...(isHardware(settings.encoder) && { softwareFallback: { ...softwareEncodeSettings(movie, encode), ...mainEncodeSettings(movie) } }),
    uncached: findUncached(movie, durations, timeline),
    captions: drawn.captions,
    warnings: [
      ...resolved.warnings,
      ...warnings,
      ...findScriptWarnings(movie),
      ...drawn.warnings,
      ...findFileWarnings(movie, media),
      ...findUnplayedContent(movie, durations, media),
    ],
  };
}
