import { AppError, type Problem, withPath } from '../../errors/index.js';
import type { Speech, SpeechRequest, SpokenWord } from '../../providers/speech/index.js';
import { isSpoken, type Movie, speechKey, speechRequestKey, type VoiceElement } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import { allOrAbort } from '../all-or-abort.js';
import { allElements } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { type Offer, purchaseOf } from './offers.js';

/** The voices of a movie. */
export interface SynthesizedVoices {
  /** Audio files, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  /** Words with times in seconds from the start of the element; by element path. */
  words: ReadonlyMap<string, readonly SpokenWord[]>;
  warnings: Problem[];
}

/** A local speech program uses one core. */
const MAX_PARALLEL = 2;

interface SpeechContext {
  speaker: RenderContext['voices'];
  pricing: RenderContext['pricing'];
  folder: string;
  signal: AbortSignal;
}

/**
 * Synthesizes voices with local engines or takes them from the cache, equal ones once; adds them to `speeches`. Returns offers for those
 * that need a service. The first failure aborts the others.
 */
export async function prepareVoices(movie: Movie, speeches: Map<string, Speech>, { speaker, pricing, ...call }: SpeechContext): Promise<Offer[]> {
  const queue = [...new Map(spokenVoices(movie).map((voice) => [speechRequestKey(voice), voice]))].filter(([key]) => !speeches.has(key));
  const [first] = queue;
  if (first === undefined) return [];
  if (speaker === undefined)
    throw new AppError('RENDER_FAILED', { path: first[1].path, message: `${first[1].path}: no speech provider is configured for this render.` });
  const offers: Offer[] = [];
  const prepareNext = async (signal: AbortSignal): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [key, voice] = next;
      const prepared = await withErrorPath(voice, speaker.prepare(requestOf(voice), { ...call, signal }));
      if ('path' in prepared) speeches.set(key, prepared);
      else {
        const buy = async (onBought: () => Promise<void>): Promise<void> => void speeches.set(key, await withErrorPath(voice, prepared.buy(onBought)));
        offers.push({ purchase: purchaseOf('speech', prepared, pricing?.priceSpeech(voice)), buy });
      }
    }
  };
  await allOrAbort(call.signal, (signal) => Array.from({ length: MAX_PARALLEL }, () => prepareNext(signal)));
  return offers;
}

/** Finds the speech of each voice; voices that are not bought yet are left out. */
export function collectVoices(movie: Movie, speeches: ReadonlyMap<string, Speech>): SynthesizedVoices {
  const media = new Map<string, MediaFile>();
  const words = new Map<string, readonly SpokenWord[]>();
  const warnings: Problem[] = [];
  for (const element of allElements(movie)) {
    const { type, path } = element;
    if (type === 'voice' && !isSpoken(element)) media.set(path, fileOf('', 0));
  }
  for (const voice of spokenVoices(movie)) {
    const speech = speeches.get(speechRequestKey(voice));
    if (speech === undefined) continue;
    media.set(voice.path, fileOf(speech.path, speech.durationSeconds));
    words.set(voice.path, speech.words);
    for (const message of speech.warnings) warnings.push({ path: voice.path, message });
  }
  return { media, words, warnings };
}

/** Voices that are audible. */
export function spokenVoices(movie: Movie): VoiceElement[] {
  return allElements(movie).filter(isSpoken);
}

function fileOf(path: string, durationSeconds: number): MediaFile {
  return { path, width: 0, height: 0, durationSeconds, hasAudio: true };
}

function requestOf({ text, model, speed, language, modelSettings, voice }: VoiceElement): SpeechRequest {
  return {
    text,
    model,
    // The speed in `modelSettings` applies unless the script sets one.
    ...(speed === 1 ? {} : { speed }),
    ...(voice === undefined ? {} : { voice }),
    ...(language === undefined ? {} : { language }),
    ...(modelSettings === undefined ? {} : { modelSettings }),
  };
}

async function withErrorPath<T>({ path }: VoiceElement, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
    throw withPath(error, path);
  }
}

/** Durations of the voices in seconds by speechKey, for scripts that compute with them. */
export function speechDurations(movie: Movie, media: ReadonlyMap<string, MediaFile>): ReadonlyMap<string, number> {
  return new Map(
    allElements(movie).flatMap((element) => {
      const file = element.type === 'voice' ? media.get(element.path) : undefined;
      return file === undefined || !isSpoken(element) ? [] : [[speechKey(element), file.durationSeconds] as const];
    }),
  );
}
