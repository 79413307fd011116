import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VoiceConfig } from '../../config/index.js';
import { ProgramError } from '../../engine/child-processes/index.js';
import { AppError } from '../../errors/index.js';
import { createOutbound, type OutboundSettings } from '../../outbound/index.js';
import { durationOf } from './audio/edit-audio.js';
import { writeWav } from './audio/wav.js';
import { chooseLanguage } from './language/choose-language.js';
import { type ListedVoices, listVoices } from './list-voices.js';
import { DEFAULT_MODEL } from './models.js';
import type { ProviderRequest, RawSpeech, Speech, SpeechRequest, VoiceProvider } from './speech.js';
import { SpeechCache, type SpeechMetadata } from './speech-cache.js';
import { hasSsml, parseSsml } from './text/ssml.js';
import { trimAndLevel } from './trim-and-level.js';
import { VoiceCatalogue } from './voice-catalogue.js';
import { estimateWords } from './words/estimate-words.js';
import { splitWords } from './words/split-words.js';

/** Maximum characters of a text, about half an hour of speech. */
const MAX_TEXT = 30_000;
/** Part of the cache key: increment when the same engine output yields other audio or word times. */
const FINISH_VERSION = 1;

export interface SynthesizeCall {
  folder: string;
  signal: AbortSignal;
  /** For estimates: texts that need a service or slow engine and are not cached become silence of this duration. */
  silenceSeconds?: (text: string, speed: number) => number;
}

/** Speech that a service has to synthesize, which costs money. */
export interface SpeechOffer {
  /** Name of the service. */
  provider: string;
  /** Hash of the request. */
  item: string;
  /** Requests the speech; `onBought` is called as soon as the service has delivered it. */
  buy(onBought: () => Promise<void>): Promise<Speech>;
}

export interface SpeechSynthesizer {
  /**
   * Speaks a text into a WAV file in `folder`, which exists, if a local engine or the cache can; returns the offer of a service
   * otherwise. Failures are AppErrors whose text may be shown to clients.
   */
  prepare(request: SpeechRequest, call: SynthesizeCall): Promise<Speech | SpeechOffer>;
  /** Lists the available voices, and the unavailable engines with the reason. */
  listVoices(): Promise<ListedVoices>;
}

/** Creates the synthesizer; requests may reach the hosts that `outbound` allows and the configured services. */
export function createSpeechSynthesizer(config: VoiceConfig, outbound: OutboundSettings): SpeechSynthesizer {
  const door = createOutbound({ ...outbound, allowPrivateHosts: [...outbound.allowPrivateHosts, ...config.hosts] });
  const catalogue = new VoiceCatalogue(config, door);
  const cache = new SpeechCache(config.cacheDir, config.maxCacheBytes);
  return {
    async prepare(unresolved, { folder, signal, silenceSeconds }) {
      signal.throwIfAborted();
      const request = resolveRequest(unresolved);
      const { provider, warnings } = await catalogue.select(request);
      const path = join(folder, `voice-${randomUUID()}.wav`);
      const key = cache.keyOf([FINISH_VERSION, provider.name, provider.version, request]);
      const cached = await cache.get(key, path);
      if (cached === undefined && silenceSeconds !== undefined && !isFast(provider)) return { path, ...(await writeSilence(request, path, silenceSeconds)) };
      const finish = (metadata: SpeechMetadata): Speech => ({ path, ...metadata, engine: provider.name, warnings: [...warnings, ...metadata.warnings] });
      if (cached !== undefined) return finish(cached);
      const synthesize = async (onBought?: () => Promise<void>): Promise<Speech> =>
        finish(await synthesizeUncached(provider, request, { folder, path, signal, onBought }, (made) => cache.put(key, path, made)));
      return isService(provider) ? { provider: provider.name, item: key, buy: synthesize } : synthesize();
    },
    listVoices: () => listVoices(config, catalogue),
  };
}

function resolveRequest(asked: SpeechRequest): ProviderRequest {
  if (asked.text.length > MAX_TEXT) {
    throw new AppError('RENDER_FAILED', { message: `the text has ${asked.text.length} characters; a voice speaks up to ${MAX_TEXT} at a time` });
  }
  return { ...asked, model: asked.model ?? DEFAULT_MODEL, speed: asked.speed ?? speedOf(asked), language: chooseLanguage(asked) };
}

/** The speed in ElevenLabs' settings (`voice_settings.speed`); 1 when absent or out of range. */
function speedOf({ modelSettings }: SpeechRequest): number {
  const settings = modelSettings?.voice_settings ?? modelSettings;
  const speed = typeof settings === 'object' && settings !== null && 'speed' in settings ? Number(settings.speed) : 1;
  return speed >= 0.25 && speed <= 4 ? speed : 1;
}

interface Call {
  folder: string;
  path: string;
  signal: AbortSignal;
  /** Called when the provider has delivered, before the result is processed. */
  onBought: (() => Promise<void>) | undefined;
}

async function synthesizeUncached(
  provider: VoiceProvider,
  request: ProviderRequest,
  { folder, path, signal, onBought }: Call,
  store: (metadata: SpeechMetadata) => Promise<void>,
): Promise<SpeechMetadata> {
  const ownFolder = join(folder, `voice-${randomUUID()}`);
  await mkdir(ownFolder);
  try {
    const raw = await provider.synthesize(request, { folder: ownFolder, signal });
    await onBought?.();
    const { audio: sound, words, isEstimated, warnings } = isService(provider) ? trimAndLevel(raw, { isTimed: hasSsml(request.text) }) : raw;
    await writeFile(path, writeWav(sound));
    const metadata = { durationSeconds: durationOf(sound), words: words.map(rounded), isEstimated, warnings };
    await store(metadata);
    return metadata;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProgramError)) throw error;
    throw new AppError('RENDER_FAILED', { message: `the text could not be spoken: ${error.message.slice(0, 200)}`, detail: error.message, cause: error });
  } finally {
    await rm(ownFolder, { recursive: true, force: true });
  }
}

/** Whether a few sentences take less than a second and cost nothing. */
function isFast(provider: VoiceProvider): boolean {
  return !isService(provider) && !provider.name.startsWith('sherpa');
}

const silentRate = 8000;

/** Writes silence of the estimated duration, with estimated word times. */
async function writeSilence(
  { text, language, speed }: ProviderRequest,
  path: string,
  secondsFor: NonNullable<SynthesizeCall['silenceSeconds']>,
): Promise<Omit<Speech, 'path'>> {
  const plain = parseSsml(text).flatMap((part) => ('text' in part ? [part.text] : []));
  const durationSeconds = secondsFor(plain.join(' '), speed);
  await writeFile(path, writeWav({ sampleRate: silentRate, samples: new Float32Array(Math.ceil(durationSeconds * silentRate)) }));
  const words = estimateWords(splitWords(plain.join(' '), language), [{ start: 0, end: durationSeconds }]).map(rounded);
  const warning = 'it is spoken when the movie is rendered; until then its length is an estimate';
  return { durationSeconds, words, isEstimated: true, engine: 'none', warnings: [warning] };
}

/** Services' audio still has to be trimmed and levelled; local engines do it for each sentence. */
function isService({ name }: VoiceProvider): boolean {
  return ['azure', 'elevenlabs', 'openai'].includes(name);
}

function rounded(word: RawSpeech['words'][number]): RawSpeech['words'][number] {
  return { ...word, start: Math.round(word.start * 1000) / 1000, end: Math.round(word.end * 1000) / 1000 };
}
