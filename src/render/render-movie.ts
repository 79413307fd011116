import type { Assets } from '../assets/index.js';
import type { Engine } from '../engine/index.js';
import { AppError } from '../errors/index.js';
import type { Movie, ResolvedDurations } from '../movie/index.js';
import { creditsFor, MAX_MOVIE_SECONDS, parseMovie, resolveDurations } from '../movie/index.js';
import type { TextSpriteDrawer } from '../sprites/index.js';
import type { EncodeSettings, MediaFile, TextPiece, Timeline } from '../timeline/index.js';
import { compileTimeline } from '../timeline/index.js';
import { type CheckResolved, checkWebhook } from './check-webhook.js';
import { drawTexts } from './draw-texts.js';
import type { ProgressListener } from './progress.js';
import { createProgress } from './progress.js';
import { renderSegments } from './render-segments.js';
import { naturalSeconds, resolveMedia, secondsBySource } from './resolve-media.js';
import { stitchOutput } from './stitch-output.js';

/** What a render stands on; made once per process. */
export interface RenderParts {
  engine: Engine;
  assets: Assets;
  sprites: TextSpriteDrawer;
  checkUrl: (url: string) => string | undefined;
  /** Told when an encoder is opened and when it is closed. */
  onEncoder?: (encoder: string, open: boolean) => void;
  /** For the webhook. Absent: none will be sent. */
  checkResolved?: CheckResolved;
}

export interface RenderRequest {
  script: unknown;
  /** Existing folder for temporary files; the caller deletes it. */
  workDir: string;
  /** Where the finished file appears, whole, under this name. */
  outputPath: string;
  signal: AbortSignal;
  onProgress: ProgressListener;
  /** Called once when all lengths are known, before the first frame; a rejection ends the render. */
  onPlanned?: (plan: { durationSeconds: number; credits: number }) => Promise<void>;
  encode?: Partial<EncodeSettings>;
}

export interface RenderOutput {
  durationSeconds: number;
  sizeBytes: number;
  frames: number;
  width: number;
  height: number;
  warnings: string[];
  encoder: string;
}

/** A movie with nothing left open but the encoding. */
export interface Plan {
  timeline: Timeline;
  durationSeconds: number;
  credits: number;
  warnings: string[];
}

/** The whole act for one job, in order. */
export async function renderMovie(request: RenderRequest, parts: RenderParts): Promise<RenderOutput> {
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const plan = await planMovie(request, parts, progress.within(0, 0.05));
  await request.onPlanned?.({ durationSeconds: plan.durationSeconds, credits: plan.credits });
  const { encoder } = plan.timeline.encode;
  parts.onEncoder?.(encoder, true);
  const encoded = await renderSegments(plan.timeline, request, parts.engine, {
    stage: progress.stage,
    report: progress.within(0.05, 0.97),
  }).finally(() => parts.onEncoder?.(encoder, false));
  progress.stage('stitching');
  const output = await stitchOutput(encoded, request, parts.engine);
  progress.finish();
  return {
    durationSeconds: output.durationSeconds,
    sizeBytes: output.bytes,
    frames: output.frames,
    width: plan.timeline.canvas.width,
    height: plan.timeline.canvas.height,
    warnings: plan.warnings,
    encoder,
  };
}

type PlanRequest = Pick<RenderRequest, 'script' | 'workDir' | 'signal' | 'encode'>;

/** Fetches the media, draws the texts and compiles the timeline: everything before the first frame. */
export async function planMovie(request: PlanRequest, parts: RenderParts, report: (part: number) => void = () => {}): Promise<Plan> {
  const first = parseMovie(request.script, { checkUrl: parts.checkUrl });
  await checkWebhook(first, parts.checkResolved);
  const fetchMedia = (movie: Movie) => resolveMedia(movie, parts.assets, request.signal, (part) => report(part * 0.8));
  const fetched = await fetchMedia(first);
  // A script may compute with the lengths of its media: now they are known.
  const movie = first.isEstimated ? parseMovie(request.script, { checkUrl: parts.checkUrl, mediaSeconds: secondsBySource(first, fetched) }) : first;
  const media = first.isEstimated ? await fetchMedia(movie) : fetched;
  const durations = resolveDurations(movie, naturalSeconds(media));
  const durationSeconds = (durations.totalFrames * movie.fps.den) / movie.fps.num;
  // Known for certain only now that the media's own lengths are.
  if (durationSeconds > MAX_MOVIE_SECONDS) {
    throw new AppError('RENDER_FAILED', {
      message: `The movie would last ${Math.round(durationSeconds)} s with the lengths of its media; at most ${MAX_MOVIE_SECONDS} s are allowed.`,
    });
  }
  const text = await drawTexts(movie, durations, parts.sprites);
  report(1);
  const timeline = compile(movie, durations, media, text.pieces, request.encode);
  return { timeline, durationSeconds, credits: creditsFor(durationSeconds, movie.width, movie.height), warnings: text.warnings };
}

function compile(
  movie: Movie,
  durations: ResolvedDurations,
  media: ReadonlyMap<string, MediaFile>,
  text: ReadonlyMap<string, readonly TextPiece[]>,
  encode: Partial<EncodeSettings> | undefined,
): Timeline {
  return compileTimeline({ movie, durations, media, text, ...(encode === undefined ? {} : { encode }) });
}
