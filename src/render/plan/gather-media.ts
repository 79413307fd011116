import { AppError, type Problem } from '../../errors/index.js';
import type { Speech, SpokenWord } from '../../providers/speech/index.js';
import { RecognitionError } from '../../providers/transcription/index.js';
import { creditsForMovie, MAX_MOVIE_SECONDS, type MediaSeconds, type Movie, type ResolvedDurations, resolveDurations } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import { allOrAbort } from '../all-or-abort.js';
import { checkDrawnFiles } from '../draw/check-drawn-files.js';
import { findTranscripts } from '../draw/draw-subtitles.js';
import type { RecognitionResults } from '../draw/drawn-elements.js';
import type { RenderContext } from '../render-context.js';
import { checkPromptCount, type GeneratedMedia, prepareGenerated } from './generate-media.js';
import { buyAll, type Offer, type PurchaseHooks, purchaseOf } from './offers.js';
import { resolveGrades } from './resolve-grades.js';
import { durationsBySource, naturalDurations, resolveMasks, resolveMedia } from './resolve-media.js';
import { collectVoices, prepareVoices, type SynthesizedVoices, speechDurations, spokenVoices } from './synthesize-voices.js';

/** Media of a movie that are at hand, and what has to be bought for the rest. */
export interface GatheredMedia {
  /** Media files and synthesized voices, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  masks: ReadonlyMap<string, MediaFile>;
  /** Color table files, by element path. */
  grades: ReadonlyMap<string, readonly string[]>;
  voices: SynthesizedVoices;
  durationOf: MediaSeconds;
  /** Results of provider services that are missing; empty once they are bought. */
  offers: Offer[];
}

interface GatherRequest extends PurchaseHooks {
  workDir: string;
  signal: AbortSignal;
}

/**
 * Gathers the media of one script. Each file is fetched, synthesized or bought once, also when the script is parsed again
 * because it computes with durations.
 */
export class MediaGatherer {
  readonly #request: GatherRequest;
  readonly #parts: RenderContext;
  readonly #generated: GeneratedMedia = { files: new Map(), warnings: [] };
  /** Color table files by what they are computed from. */
  readonly #grades = new Map<string, Promise<string>>();
  readonly #speeches = new Map<string, Speech>();
  readonly #transcripts: RecognitionResults = new Map();

  constructor(request: GatherRequest, parts: RenderContext) {
    this.#request = request;
    this.#parts = parts;
  }

  /** Warnings about generated files. */
  get warnings(): readonly Problem[] {
    return this.#generated.warnings;
  }

  /** Words of the files that a service has transcribed. */
  get transcripts(): RecognitionResults {
    return this.#transcripts;
  }

  /** Fetches media, masks and LUTs and synthesizes voices, in parallel, without buying anything. */
  async gather(movie: Movie, report: (part: number) => void): Promise<GatheredMedia> {
    const { workDir: folder, signal } = this.#request;
    const { assets, generator, pricing, voices: speaker } = this.#parts;
    checkPromptCount(movie, generator);
    const [{ offers, files }, masks, grades, speechOffers] = await allOrAbort(signal, (either) => [
      prepareGenerated(movie, this.#generated, { ...(generator && { generator }), ...(pricing && { pricing }), assets, folder, signal: either }).then(
        async (offered) => ({ offers: offered, files: await resolveMedia(movie, { assets, generated: this.#generated.files }, either, report) }),
      ),
      resolveMasks(movie, assets, either),
      resolveGrades(movie, this.#grades, { assets, folder, signal: either }),
      prepareVoices(movie, this.#speeches, { speaker, pricing, folder, signal: either }),
    ]);
    const voices = collectVoices(movie, this.#speeches);
    const bySource = durationsBySource(movie, files);
    const bySpeech = speechDurations(movie, voices.media);
    return {
      media: new Map([...files, ...voices.media]),
      masks,
      grades,
      voices,
      durationOf: (key) => bySpeech.get(key) ?? bySource(key),
      offers: [...offers, ...speechOffers],
    };
  }

  /** Buys the offers. */
  async buy(movie: Movie, gathered: GatheredMedia): Promise<void> {
    await this.#buy(movie, gathered, gathered.offers);
  }

  /** Has the audio transcribed that subtitles need and that a service recognises. */
  async transcribe(movie: Movie, gathered: GatheredMedia): Promise<void> {
    await this.#buy(movie, gathered, this.#offerTranscripts(movie, gathered));
  }

  /** Buys after everything else that may fail the movie is checked, and the price of what it still needs is reserved. */
  async #buy(movie: Movie, gathered: GatheredMedia, offers: readonly Offer[]): Promise<void> {
    if (offers.length === 0) return;
    const { signal, onReserve } = this.#request;
    const natural = naturalDurations(gathered.media);
    const durations = resolveDurations(movie, natural);
    checkDuration(
      movie,
      resolveDurations(movie, (element) => natural(element) ?? 0),
    );
    await checkDrawnFiles({ movie, durations, signal }, this.#parts);
    const needed = new Map([...offers, ...this.#offerTranscripts(movie, gathered)].map(({ purchase }) => [purchase.item, purchase]));
    await onReserve?.({ credits: creditsForMovie(durations.totalFrames, movie), purchases: [...needed.values()] });
    await buyAll(offers, this.#request);
  }

  #offerTranscripts(movie: Movie, { media, voices }: GatheredMedia): Offer[] {
    const { recogniser, pricing } = this.#parts;
    const { provider } = recogniser ?? {};
    if (recogniser === undefined || provider === undefined) return [];
    const durations = resolveDurations(movie, naturalDurations(media));
    const words = new Map<string, readonly SpokenWord[]>([
      ...spokenVoices(movie).map(({ path, text }) => [path, [{ text, start: 0, end: 0 }]] as const),
      ...voices.words,
    ]);
    const wanted = findTranscripts({ movie, durations, media, words, workDir: this.#request.workDir }).filter(({ key }) => !this.#transcripts.has(key));
    return wanted.map(({ key, item, seconds, request }) => ({
      purchase: purchaseOf('transcription', { provider, item }, pricing?.priceTranscription(seconds)),
      buy: async (onBought) => {
        const recognised = recogniser.recognise(request, this.#request.signal, onBought);
        this.#transcripts.set(key, recognised);
        // Subtitles turn the error into a warning.
        await recognised.catch((error: unknown) => {
          if (!(error instanceof RecognitionError)) throw error;
        });
      },
    }));
  }
}

/** Throws when the movie is too long with these durations. */
export function checkDuration({ fps }: Movie, { totalFrames }: ResolvedDurations): void {
  const durationSeconds = (totalFrames * fps.den) / fps.num;
  if (durationSeconds <= MAX_MOVIE_SECONDS) return;
  throw new AppError('RENDER_FAILED', {
    message: `The movie would last ${Math.round(durationSeconds)} s with the lengths of its media; at most ${MAX_MOVIE_SECONDS} s are allowed.`,
  });
}
