import { AppError, type Problem, withPath } from '../../errors/index.js';
import type { Speech, SpeechSynthesizer, SpokenWord } from '../../providers/speech/index.js';
import { type Movie, SILENT_MODEL, speechKey, type VoiceElement } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import { allOrAbort } from '../all-or-abort.js';
import { allElements } from '../elements.js';

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

/** Synthesizes every voice of the movie, equal ones once. The first failure aborts the others. */
export async function synthesizeVoices(
  movie: Movie,
  speaker: Pick<SpeechSynthesizer, 'synthesize'> | undefined,
  call: { folder: string; signal: AbortSignal },
): Promise<SynthesizedVoices> {
  const voices = allElements(movie).filter((element): element is VoiceElement => element.type === 'voice');
  const media = new Map<string, MediaFile>();
  const words = new Map<string, readonly SpokenWord[]>();
  const warnings: Problem[] = [];
  for (const { path } of voices.filter(({ model }) => model === SILENT_MODEL)) media.set(path, fileOf('', 0));
  const spoken = voices.filter(({ model }) => model !== SILENT_MODEL);
  const speeches = await synthesizeAll(spoken, speaker, call);
  for (const [index, { path }] of spoken.entries()) {
    const speech = speeches[index] as Speech;
    media.set(path, fileOf(speech.path, speech.durationSeconds));
    words.set(path, speech.words);
    for (const message of speech.warnings) warnings.push({ path, message });
  }
  return { media, words, warnings };
}

function fileOf(path: string, durationSeconds: number): MediaFile {
  return { path, width: 0, height: 0, durationSeconds, hasAudio: true };
}

async function synthesizeAll(
  voices: readonly VoiceElement[],
  speaker: Pick<SpeechSynthesizer, 'synthesize'> | undefined,
  call: { folder: string; signal: AbortSignal },
): Promise<Speech[]> {
  const [first] = voices;
  if (first === undefined) return [];
  if (speaker === undefined)
    throw new AppError('RENDER_FAILED', { path: first.path, message: `${first.path}: no speech provider is configured for this render.` });
  const speeches = new Map<string, Promise<Speech>>();
  const keyOf = (voice: VoiceElement): string => JSON.stringify([speechKey(voice), voice.modelSettings]);
  const waiting = new Map(voices.map((voice) => [keyOf(voice), voice]));
  const queue = [...waiting];
  const speakNext = async (signal: AbortSignal): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [key, voice] = next;
      const speech = synthesizeOne(voice, speaker, { ...call, signal });
      speeches.set(key, speech);
      await speech;
    }
  };
  await allOrAbort(call.signal, (signal) => Array.from({ length: MAX_PARALLEL }, () => speakNext(signal)));
  return Promise.all(voices.map((voice) => speeches.get(keyOf(voice)) as Promise<Speech>));
}

async function synthesizeOne(
  voice: VoiceElement,
  speaker: Pick<SpeechSynthesizer, 'synthesize'>,
  call: { folder: string; signal: AbortSignal },
): Promise<Speech> {
  const { text, model, speed, language, modelSettings } = voice;
  try {
    return await speaker.synthesize(
      {
        text,
        model,
        // The speed in `modelSettings` applies unless the script sets one.
        ...(speed === 1 ? {} : { speed }),
        ...(voice.voice === undefined ? {} : { voice: voice.voice }),
        ...(language === undefined ? {} : { language }),
        ...(modelSettings === undefined ? {} : { modelSettings }),
      },
      call,
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
    throw withPath(error, voice.path);
  }
}

/** Durations of the voices in seconds by speechKey, for scripts that compute with them. */
export function speechDurations(movie: Movie, media: ReadonlyMap<string, MediaFile>): ReadonlyMap<string, number> {
  return new Map(
    allElements(movie).flatMap((element) => {
      const file = element.type === 'voice' ? media.get(element.path) : undefined;
      return element.type !== 'voice' || file === undefined || element.model === SILENT_MODEL ? [] : [[speechKey(element), file.durationSeconds] as const];
    }),
  );
}
