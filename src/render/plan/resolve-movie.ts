import { AppError, type Problem } from '../../errors/index.js';
import {
  checkOutputs,
  countUnknownLengths,
  creditsForMovie,
  type Movie,
  type Output,
  parseMovie,
  type ResolvedDurations,
  resolveDurations,
  ScriptError,
  type TextElement,
} from '../../script/index.js';
import type { CompileInput, EncodeSettings, MediaFile } from '../../timeline/index.js';
import { encoderFor, maxScale, textBox } from '../../timeline/index.js';
import { type Assets, cacheAssets } from '../assets/index.js';
import type { RecognitionResults } from '../draw/drawn-elements.js';
import { allElements } from '../elements.js';
import { isMainDeep, mainEncodeSettings, withMainOutput } from '../outputs/output-files.js';
import type { RenderContext } from '../render-context.js';
import { type RenderProfile, timed } from '../render-profile.js';
import { checkWebhook } from './check-webhook.js';
import { checkDuration, type GatheredMedia, MediaGatherer } from './gather-media.js';
import { generationCheck } from './generate-media.js';
import { loadFonts } from './load-fonts.js';
import type { PurchaseHooks } from './offers.js';
import { naturalDurations } from './resolve-media.js';
import type { SynthesizedVoices } from './synthesize-voices.js';

/** A movie with local media files and known durations; nothing is drawn yet. */
export interface ResolvedMovie {
  /** Parsed with the durations of its media. */
  movie: Movie;
  durations: ResolvedDurations;
  durationSeconds: number;
  credits: number;
  /** Media files and synthesized voices, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  masks: ReadonlyMap<string, MediaFile>;
  /** Color table files, by element path. */
  grades: ReadonlyMap<string, readonly string[]>;
  words: SynthesizedVoices['words'];
  /** Words of the files that a service has transcribed. */
  transcripts: RecognitionResults;
  /** Serves files that were fetched before. */
  assets: Assets;
  settings: EngineSettings;
  /** Deviations from the script that its author should know about. */
  warnings: Problem[];
}

/** Encoder, compositor and decoder settings of the timeline. */
type EngineSettings = Pick<CompileInput, 'encode' | 'compositor' | 'interop' | 'hardwareDecode' | 'canStreamCopy'> & Required<Pick<CompileInput, 'encoder'>>;

/** A script to plan. */
export interface PlanRequest extends PurchaseHooks {
  script: unknown;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
  encode?: Partial<EncodeSettings>;
  /** Replaces the outputs of the script, for a placeholder of the movie that has them. */
  outputs?: readonly Output[];
  profile?: RenderProfile;
}

/** A movie with the durations of its files; nothing is bought, drawn or encoded. */
export interface MeasuredMovie extends Pick<ResolvedMovie, 'movie' | 'durationSeconds' | 'credits'> {
  /** Voices and generated files that a provider service would have to make first; they keep their estimated lengths. */
  estimatedLengths: number;
}

/** Fetches a movie's files and resolves its durations. Throws RENDER_FAILED if the movie is too long with them. */
export async function measureMovie(request: PlanRequest, given: RenderContext): Promise<MeasuredMovie> {
  const parts = { ...given, assets: cacheAssets(given.assets, new Map()) };
  const rules = rulesOf(parts);
  const gatherer = new MediaGatherer(request, parts);
  let movie = parseMovie(request.script, rules);
  let gathered = await gatherer.gather(movie, () => {});
  if (movie.isEstimated) {
    movie = parseMovie(request.script, { ...rules, mediaSeconds: gathered.durationOf });
    gathered = await gatherer.gather(movie, () => {});
  }
  const natural = naturalDurations(gathered.media);
  const durations = resolveDurations(movie, natural);
  checkDuration(movie, durations);
  return { movie, ...lengthOf(movie, durations), estimatedLengths: countUnknownLengths(movie, natural) };
}

function rulesOf(parts: RenderContext): Parameters<typeof parseMovie>[1] {
  return { checkUrl: parts.checkUrl, components: parts.packs, ...generationCheck(parts) };
}

function lengthOf(movie: Movie, { totalFrames }: ResolvedDurations): Pick<ResolvedMovie, 'durationSeconds' | 'credits'> {
  return { durationSeconds: (totalFrames * movie.fps.den) / movie.fps.num, credits: creditsForMovie(totalFrames, movie) };
}

/** Fetches a movie's files, synthesizes its voices, and resolves its durations. */
export async function resolveMovie(request: PlanRequest, given: RenderContext, report: (part: number) => void): Promise<ResolvedMovie> {
  const { script, signal, profile } = request;
  const began = performance.now();
  // Parsing again must not download again.
  const parts = { ...given, assets: cacheAssets(given.assets, new Map()) };
  const rules = rulesOf(parts);
  const first = parseMovie(script, rules);
  await checkWebhook(first, parts.checkResolved);
  const gatherer = new MediaGatherer(request, parts);
  const fetchTimed = <T>(work: () => Promise<T>): Promise<T> => timed(profile, 'fetch', work);
  const gather = (script: Movie): Promise<GatheredMedia> => fetchTimed(() => gatherer.gather(script, report));
  const warming = setTimeout(() => warmUp(first, parts), WARM_UP_DELAY_MS);
  let movie = first;
  let gathered = await gather(movie).finally(() => clearTimeout(warming));
  // A script may compute with the durations of its media, which are known now.
  const gatherAgain = async (): Promise<void> => {
    if (first.isEstimated) movie = parseMovie(script, { ...rules, mediaSeconds: gathered.durationOf });
    gathered = await gather(movie);
  };
  if (first.isEstimated) await gatherAgain();
  while (gathered.offers.length > 0) {
    const offered = gathered;
    await fetchTimed(() => gatherer.buy(movie, offered));
    gathered = await gather(movie);
    // What is bought has a duration, too, on which other texts and media may depend.
    if (first.isEstimated) await gatherAgain();
  }
  await fetchTimed(() => gatherer.transcribe(movie, gathered));
  const { media, masks, grades, voices } = gathered;
  const durations = resolveDurations(movie, naturalDurations(media));
  checkDuration(movie, durations);
  checkKnownOutputs(movie, naturalDurations(media));
  const missingFonts = await timed(profile, 'fetch', () => loadFonts(movie, parts, signal));
  movie = withMainOutput({ ...movie, outputs: request.outputs ?? movie.outputs });
  const settings = await engineSettingsFor(movie, request, parts);
  profile?.addRest('plan', (performance.now() - began) / 1000, ['fetch']);
  return {
    movie,
    durations,
    ...lengthOf(movie, durations),
    media,
    masks,
    grades,
    words: voices.words,
    transcripts: gatherer.transcripts,
    assets: parts.assets,
    settings,
    warnings: [...gatherer.warnings, ...voices.warnings, ...missingFonts],
  };
}

/** Checks the outputs again with the lengths of all media. */
function checkKnownOutputs(movie: Movie, natural: ReturnType<typeof naturalDurations>): void {
  try {
    checkOutputs(movie, natural);
  } catch (error) {
    throw error instanceof ScriptError ? new AppError('RENDER_FAILED', { message: `${error.path}: ${error.message}`, cause: error }) : error;
  }
}

async function engineSettingsFor(movie: Movie, request: PlanRequest, parts: RenderContext): Promise<EngineSettings> {
  // The operator's settings override those of the script.
  const encode = { ...mainEncodeSettings(movie), ...request.encode };
  const encoder = (isMainDeep(movie) ? undefined : await parts.encoders?.select(movie.codec, parts.engine)) ?? encoderFor(movie.codec, 'software');
  const variant = await parts.encoders?.variantOf(encoder);
  return {
    encoder,
    encode: { ...encode, ...(variant !== undefined && { variant }) },
    ...(parts.compositor && { compositor: parts.compositor }),
    ...(parts.interop !== undefined && parts.interop !== 'auto' && { interop: parts.interop }),
    ...(parts.hardwareDecode !== undefined && parts.hardwareDecode !== 'auto' && { hardwareDecode: parts.hardwareDecode }),
    ...(parts.copies === false && { canStreamCopy: false }),
  };
}

/** Delays the font warm-up until the engine probes the first files, so that both run in parallel. */
const WARM_UP_DELAY_MS = 20;

async function warmUp(movie: Movie, { sprites }: Pick<RenderContext, 'sprites'>): Promise<void> {
  try {
    for (const element of allElements(movie).filter((one): one is TextElement => one.type === 'text')) {
      if (await sprites.isDrawn(element, textBox(element, movie), { density: maxScale(element) })) continue;
      sprites.fonts.warmUp();
      return;
    }
  } catch {
    // drawTexts reports the error.
  }
}
