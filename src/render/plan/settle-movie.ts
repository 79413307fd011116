import { AppError } from '../../errors/index.js';
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
import { allOrNone } from '../all-or-none.js';
import { allElements } from '../elements.js';
import type { RenderParts } from '../render-parts.js';
import { type RenderProfile, timed } from '../render-profile.js';
import { checkWebhook } from './check-webhook.js';
import { loadFonts } from './load-fonts.js';
import { checkCount, createMediaMaker, generationCheck, type MediaMaker } from './make-media.js';
import { naturalSeconds, resolveMasks, resolveMedia, secondsBySource } from './resolve-media.js';
import { type SpokenVoices, secondsOfSpeech, speakVoices } from './speak-voices.js';

/** A movie whose files are at hand and whose lengths are known; nothing of it is drawn. */
export interface SettledMovie {
  /** With the lengths of its media. */
  movie: Movie;
  durations: ResolvedDurations;
  durationSeconds: number;
  credits: number;
  /** Files and spoken texts, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  masks: ReadonlyMap<string, MediaFile>;
  words: SpokenVoices['words'];
  settings: EngineSettings;
  /** What the maker of the movie should know, each sentence after the path of the element that it is about. */
  warnings: string[];
}

/** What its timelines say of how the engine goes about them. */
export type EngineSettings = Pick<CompileInput, 'encode' | 'compositor' | 'handover' | 'hardwareDecode' | 'canStreamCopy'> &
  Required<Pick<CompileInput, 'encoder'>>;

export interface PlanRequest {
  script: unknown;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
  encode?: Partial<EncodeSettings>;
  profile?: RenderProfile;
}

/** Fetches a movie's files, has its voices spoken, and settles its lengths. */
export async function settleMovie(request: PlanRequest, parts: RenderParts, report: (part: number) => void): Promise<SettledMovie> {
  const { script, signal, profile } = request;
  const began = performance.now();
  const { checkUrl } = parts;
  const components = parts.packs;
  const rules = { checkUrl, components, ...generationCheck(parts) };
  const first = parseMovie(script, rules);
  await checkWebhook(first, parts.checkResolved);
  const maker = createMediaMaker(parts, request.workDir);
  const gather = (movie: Movie) => timed(profile, 'fetch', () => gatherMedia(movie, request, { ...parts, maker }, report));
  const warming = setTimeout(() => warmUp(first, parts), warmUpAfterMs);
  const gathered = await gather(first).finally(() => clearTimeout(warming));
  // A script may compute with the lengths of its media: now they are known.
  const movie = first.isEstimated ? parseMovie(script, { ...rules, mediaSeconds: gathered.secondsOf }) : first;
  const { media, masks, voices } = first.isEstimated ? await gather(movie) : gathered;
  const durations = resolveDurations(movie, naturalSeconds(media));
  const durationSeconds = (durations.totalFrames * movie.fps.den) / movie.fps.num;
  checkLength(durationSeconds);
  const missingFonts = await timed(profile, 'fetch', () => loadFonts(movie, parts, signal));
  const settings = await settingsOf(movie, request, parts);
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
    warnings: [...maker.warnings, ...voices.warnings, ...missingFonts],
  };
}

async function settingsOf(movie: Movie, { encode }: PlanRequest, parts: RenderParts): Promise<EngineSettings> {
  return {
    encoder: (await parts.encoders?.choose(movie.codec, parts.engine)) ?? encoderFor(movie.codec, 'software'),
    ...(encode && { encode }),
    ...(parts.compositor && { compositor: parts.compositor }),
    ...(parts.handover === 'off' && { handover: parts.handover }),
    ...(parts.hardwareDecode !== undefined && parts.hardwareDecode !== 'auto' && { hardwareDecode: parts.hardwareDecode }),
    ...(parts.copies === false && { canStreamCopy: false }),
  };
}

/** By then the engine looks at the first files: it does not wait for this process, nor this one for it. */
const warmUpAfterMs = 20;

async function warmUp(movie: Movie, { sprites }: Pick<RenderParts, 'sprites'>): Promise<void> {
  try {
    for (const element of allElements(movie).filter((one): one is TextElement => one.type === 'text')) {
      if (await sprites.isDrawn(element, textBox(element, movie), { density: maxScale(element) })) continue;
      sprites.fonts.warmUp();
      return;
    }
  } catch {
    // Whoever draws is told.
  }
}

interface Gathered {
  /** Files and spoken texts, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  masks: ReadonlyMap<string, MediaFile>;
  voices: SpokenVoices;
  secondsOf: MediaSeconds;
}

/** Everything that comes from elsewhere, side by side; a movie may hang on the lengths of most of it. */
async function gatherMedia(
  movie: Movie,
  { signal, workDir }: PlanRequest,
  parts: RenderParts & { maker: MediaMaker },
  report: (part: number) => void,
): Promise<Gathered> {
  checkCount(movie, parts.generator);
  const [files, masks, voices] = await allOrNone(signal, (either) => [
    resolveMedia(movie, parts, either, report),
    resolveMasks(movie, parts.assets, either),
    speakVoices(movie, parts.voices, { folder: workDir, signal: either }),
  ]);
  const bySource = secondsBySource(movie, files);
  const bySpeech = secondsOfSpeech(movie, voices.media);
  return { media: new Map([...files, ...voices.media]), masks, voices, secondsOf: (key) => bySpeech.get(key) ?? bySource(key) };
}

/** Known for certain only when the media's own lengths are. */
function checkLength(durationSeconds: number): void {
  if (durationSeconds <= MAX_MOVIE_SECONDS) return;
  throw new AppError('RENDER_FAILED', {
    message: `The movie would last ${Math.round(durationSeconds)} s with the lengths of its media; at most ${MAX_MOVIE_SECONDS} s are allowed.`,
  });
}
