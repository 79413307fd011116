import { AppError, type Problem } from '../../errors/index.js';
import {
  creditsForFrames,
  MAX_MOVIE_SECONDS,
  type MediaSeconds,
  type Movie,
  parseMovie,
  type ResolvedDurations,
  resolveDurations,
  type TextElement,
} from '../../script/index.js';
import type { CompileInput, EncodeSettings, MediaFile } from '../../timeline/index.js';
import { encoderFor, maxScale, textBox } from '../../timeline/index.js';
import { allOrAbort } from '../all-or-abort.js';
import { allElements } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { type RenderProfile, timed } from '../render-profile.js';
import { checkWebhook } from './check-webhook.js';
import { checkPromptCount, createMediaGenerator, generationCheck, type MediaGenerator } from './generate-media.js';
import { loadFonts } from './load-fonts.js';
import { durationsBySource, naturalDurations, resolveMasks, resolveMedia } from './resolve-media.js';
import { type SynthesizedVoices, speechDurations, synthesizeVoices } from './synthesize-voices.js';

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
  words: SynthesizedVoices['words'];
  settings: EngineSettings;
  /** Deviations from the script that its author should know about. */
  warnings: Problem[];
}

/** Encoder, compositor and decoder settings of the timeline. */
type EngineSettings = Pick<CompileInput, 'encode' | 'compositor' | 'interop' | 'hardwareDecode' | 'canStreamCopy'> & Required<Pick<CompileInput, 'encoder'>>;

/** A script to plan. */
export interface PlanRequest {
  script: unknown;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
  encode?: Partial<EncodeSettings>;
  profile?: RenderProfile;
}

/** Fetches a movie's files, synthesizes its voices, and resolves its durations. */
export async function resolveMovie(request: PlanRequest, parts: RenderContext, report: (part: number) => void): Promise<ResolvedMovie> {
  const { script, signal, profile } = request;
  const began = performance.now();
  const { checkUrl } = parts;
  const components = parts.packs;
  const rules = { checkUrl, components, ...generationCheck(parts) };
  const first = parseMovie(script, rules);
  await checkWebhook(first, parts.checkResolved);
  const mediaGenerator = createMediaGenerator(parts, request.workDir);
  const gather = (movie: Movie) => timed(profile, 'fetch', () => gatherMedia(movie, request, { ...parts, mediaGenerator }, report));
  const warming = setTimeout(() => warmUp(first, parts), WARM_UP_DELAY_MS);
  const gathered = await gather(first).finally(() => clearTimeout(warming));
  // A script may compute with the durations of its media, which are known now.
  const movie = first.isEstimated ? parseMovie(script, { ...rules, mediaSeconds: gathered.durationOf }) : first;
  const { media, masks, voices } = first.isEstimated ? await gather(movie) : gathered;
  const durations = resolveDurations(movie, naturalDurations(media));
  const durationSeconds = (durations.totalFrames * movie.fps.den) / movie.fps.num;
  checkDuration(durationSeconds);
  const missingFonts = await timed(profile, 'fetch', () => loadFonts(movie, parts, signal));
  const settings = await engineSettingsFor(movie, request, parts);
  profile?.addRest('plan', (performance.now() - began) / 1000, ['fetch']);
  return {
    movie,
    durations,
    durationSeconds,
    credits: creditsForFrames(durations.totalFrames, movie),
    media,
    masks,
    words: voices.words,
    settings,
    warnings: [...mediaGenerator.warnings, ...voices.warnings, ...missingFonts],
  };
}

async function engineSettingsFor(movie: Movie, { encode }: PlanRequest, parts: RenderContext): Promise<EngineSettings> {
  return {
    encoder: (await parts.encoders?.select(movie.codec, parts.engine)) ?? encoderFor(movie.codec, 'software'),
    ...(encode && { encode }),
    ...(parts.compositor && { compositor: parts.compositor }),
    ...(parts.interop === 'off' && { interop: parts.interop }),
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

interface GatheredMedia {
  /** Media files and synthesized voices, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  masks: ReadonlyMap<string, MediaFile>;
  voices: SynthesizedVoices;
  durationOf: MediaSeconds;
}

/** Fetches media and masks and synthesizes voices, in parallel. */
async function gatherMedia(
  movie: Movie,
  { signal, workDir }: PlanRequest,
  parts: RenderContext & { mediaGenerator: MediaGenerator },
  report: (part: number) => void,
): Promise<GatheredMedia> {
  checkPromptCount(movie, parts.generator);
  const [files, masks, voices] = await allOrAbort(signal, (either) => [
    resolveMedia(movie, { assets: parts.assets, generator: parts.mediaGenerator }, either, report),
    resolveMasks(movie, parts.assets, either),
    synthesizeVoices(movie, parts.voices, { folder: workDir, signal: either }),
  ]);
  const bySource = durationsBySource(movie, files);
  const bySpeech = speechDurations(movie, voices.media);
  return { media: new Map([...files, ...voices.media]), masks, voices, durationOf: (key) => bySpeech.get(key) ?? bySource(key) };
}

/** Throws when the movie is too long with the actual durations of its media. */
function checkDuration(durationSeconds: number): void {
  if (durationSeconds <= MAX_MOVIE_SECONDS) return;
  throw new AppError('RENDER_FAILED', {
    message: `The movie would last ${Math.round(durationSeconds)} s with the lengths of its media; at most ${MAX_MOVIE_SECONDS} s are allowed.`,
  });
}
