import { AppError } from '../../errors/index.js';
import {
  creditsFor,
  MAX_MOVIE_SECONDS,
  type MediaSeconds,
  type Movie,
  parseMovie,
  type ResolvedDurations,
  resolveDurations,
  type TextElement,
} from '../../movie/index.js';
import type { EncodeSettings, MediaFile, Timeline } from '../../timeline/index.js';
import { compileTimeline, encoderOf, isHardware, largestScale, softwareSettings, textBox } from '../../timeline/index.js';
import { allOrNone } from '../all-or-none.js';
import { drawDrawings } from '../draw/draw-drawings.js';
import { drawElements } from '../draw/draw-elements.js';
import { allElements } from '../elements.js';
import type { RenderParts } from '../render-parts.js';
import { type RenderProfile, timed } from '../render-profile.js';
import { checkWebhook } from './check-webhook.js';
import { loadFonts } from './load-fonts.js';
import { lostParts } from './lost-parts.js';
import { checkCount, createMediaMaker, generationCheck, type MediaMaker } from './make-media.js';
import { naturalSeconds, resolveMasks, resolveMedia, secondsBySource } from './resolve-media.js';
import { type SpokenVoices, secondsOfSpeech, speakVoices } from './speak-voices.js';
import { findUncached, type Uncached } from './uncached.js';

/** A movie with nothing left open but the encoding. */
export interface Plan {
  /** With the lengths of its media. */
  movie: Movie;
  durations: ResolvedDurations;
  timeline: Timeline;
  /** What takes over where the timeline's encoder gives out. Absent: nothing. */
  inSoftware?: EncodeSettings;
  durationSeconds: number;
  credits: number;
  /** What the maker of the movie should know, each sentence after the path of the element that it is about. */
  warnings: string[];
  uncached: Uncached;
}

export interface PlanRequest {
  script: unknown;
  /** Existing folder for temporary files. */
  workDir: string;
  signal: AbortSignal;
  encode?: Partial<EncodeSettings>;
  profile?: RenderProfile;
}

/** Everything before the first frame, in order: files are fetched, lengths settled, elements drawn, the timeline compiled. */
export async function planMovie(request: PlanRequest, parts: RenderParts, report: (part: number) => void = () => {}): Promise<Plan> {
  const { script, signal, profile } = request;
  const began = performance.now();
  const { checkUrl } = parts;
  const components = parts.packs;
  const rules = { checkUrl, components, ...generationCheck(parts) };
  const first = parseMovie(script, rules);
  await checkWebhook(first, parts.checkResolved);
  const maker = createMediaMaker(parts, request.workDir);
  const gather = (movie: Movie) => timed(profile, 'fetch', () => gatherMedia(movie, request, { ...parts, maker }, (part) => report(part * 0.8)));
  const warming = setTimeout(() => warmUp(first, parts), warmUpAfterMs);
  const gathered = await gather(first).finally(() => clearTimeout(warming));
  // A script may compute with the lengths of its media: now they are known.
  const movie = first.isEstimated ? parseMovie(script, { ...rules, mediaSeconds: gathered.secondsOf }) : first;
  const { media, masks, voices } = first.isEstimated ? await gather(movie) : gathered;
  const durations = resolveDurations(movie, naturalSeconds(media));
  const durationSeconds = (durations.totalFrames * movie.fps.den) / movie.fps.num;
  checkLength(durationSeconds);
  const missingFonts = await timed(profile, 'fetch', () => loadFonts(movie, parts, signal));
  const files = await timed(profile, 'draw', () => drawDrawings({ movie, media, masks, workDir: request.workDir, signal }, parts));
  const drawing = { movie, durations, workDir: request.workDir, signal, media, words: voices.words };
  const drawn = await timed(profile, 'draw', () => drawElements(drawing, parts)).finally(() => parts.sprites.fonts.files.close());
  report(1);
  const encode = {
    ...(request.encode && { encode: request.encode }),
    ...(parts.compositor && { compositor: parts.compositor }),
    ...(parts.handover === 'off' && { handover: parts.handover }),
    ...(parts.hardwareDecode !== undefined && parts.hardwareDecode !== 'auto' && { hardwareDecode: parts.hardwareDecode }),
    ...(parts.copies === false && { copies: false }),
  };
  const encoder = (await parts.encoders?.choose(movie.codec, parts.engine)) ?? encoderOf(movie.codec, 'software');
  const timeline = compileTimeline({ movie, durations, ...files, pieces: drawn.pieces, pages: drawn.pages, encoder, ...encode });
  profile?.addRest('plan', (performance.now() - began) / 1000, ['fetch', 'draw']);
  return {
    movie,
    durations,
    timeline,
    ...(isHardware(encoder) && { inSoftware: softwareSettings(movie, request.encode) }),
    durationSeconds,
    credits: creditsFor(durations.totalFrames, movie),
    uncached: findUncached(movie, durations, timeline),
    warnings: [...maker.warnings, ...voices.warnings, ...missingFonts, ...drawn.warnings, ...lostParts(movie, durations, media)],
  };
}

/** By then the engine looks at the first files: it does not wait for this process, nor this one for it. */
const warmUpAfterMs = 20;

async function warmUp(movie: Movie, { sprites }: Pick<RenderParts, 'sprites'>): Promise<void> {
  try {
    for (const element of allElements(movie).filter((one): one is TextElement => one.type === 'text')) {
      if (await sprites.isDrawn(element, textBox(element, movie), { density: largestScale(element) })) continue;
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
