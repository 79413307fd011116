import type { Outbound } from '../../../outbound/index.js';
import { durationOf } from '../audio/edit-audio.js';
import { parsePcm16 } from '../audio/wav.js';
import { languageOf } from '../language/locale.js';
import type { ProviderRequest, RawSpeech, TimedText, VoiceProvider } from '../speech.js';
import { plainText } from '../text/ssml.js';
import { alignWords } from '../words/align-words.js';
import { splitWords } from '../words/split-words.js';
import { callService, errorForStatus, ServiceError } from './service-error.js';

/** Model names of scripts and of the service. */
const models: Readonly<Record<string, string>> = {
  elevenlabs: 'eleven_multilingual_v2',
  'elevenlabs-flash-v2-5': 'eleven_flash_v2_5',
  'elevenlabs-v3': 'eleven_v3',
};
/** The best uncompressed format that every subscription includes. */
const OUTPUT_FORMAT = 'pcm_24000';
const SAMPLE_RATE = 24_000;
/** Rachel, a voice that every account has. */
const DEFAULT_VOICE_ID = '21m00Tcm4TlvDq8ikWAM';
const IDLE_MS = 120_000;
const MAX_BYTES = 100_000_000;

interface ElevenLabsSettings {
  key: string;
  url: string;
}

export function createElevenLabs(settings: ElevenLabsSettings, outbound: Outbound): VoiceProvider {
  const voiceIds = new Map<string, string>();
  return {
    name: 'elevenlabs',
    version: OUTPUT_FORMAT,
    synthesize: (request, { signal }) =>
      callService('elevenlabs', signal, async () => {
        const voiceId = await findVoice(request.voice, { settings, outbound, signal, voiceIds });
        const answer = await outbound.send(`${settings.url}/v1/text-to-speech/${encodeURIComponent(voiceId)}/with-timestamps?output_format=${OUTPUT_FORMAT}`, {
          method: 'POST',
          headers: { 'xi-api-key': settings.key, 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(bodyOf(request)),
          idleMs: IDLE_MS,
          maxResponseBytes: MAX_BYTES,
          signal,
        });
        if (answer.status !== 200) throw errorForStatus(answer.status, reasonOf(answer.text));
        return rawSpeech(request, answer.text);
      }),
  };
}

interface Lookup {
  settings: ElevenLabsSettings;
  outbound: Outbound;
  signal: AbortSignal;
  voiceIds: Map<string, string>;
}

/** Finds a voice by its id or by its name in the account's list. */
async function findVoice(voice: string | undefined, { settings, outbound, signal, voiceIds }: Lookup): Promise<string> {
  if (voice === undefined) return DEFAULT_VOICE_ID;
  if (/^[A-Za-z0-9]{20}$/.test(voice)) return voice;
  const wanted = voice.trim().toLowerCase();
  if (!voiceIds.has(wanted)) {
    const options = { method: 'GET' as const, headers: { 'xi-api-key': settings.key }, idleMs: IDLE_MS, maxAnswerBytes: MAX_BYTES, signal };
    const answer = await outbound.send(`${settings.url}/v1/voices`, options);
    if (answer.status !== 200) throw errorForStatus(answer.status, reasonOf(answer.text));
    for (const { voice_id: id, name } of (parse(answer.text).voices ?? []) as Array<{ voice_id?: string; name?: string }>) {
      if (id === undefined || name === undefined) continue;
      const full = name.toLowerCase();
      voiceIds.set(full, id);
      // "Brian - Deep, Resonant and Comforting" is also found as "Brian".
      const short = full.split(' - ')[0] ?? full;
      if (!voiceIds.has(short)) voiceIds.set(short, id);
    }
  }
  const id = voiceIds.get(wanted);
  if (id === undefined) throw new ServiceError(`has no voice "${voice.slice(0, 60)}" in this host's account (a voice is named by its id or its name)`);
  return id;
}

function bodyOf({ text, model, modelSettings = {}, language, speed }: ProviderRequest): Record<string, unknown> {
  const { language_code: code, languageCode, ...settings } = modelSettings;
  const asked = code ?? languageCode;
  // Only the flash model accepts a language; the others detect it.
  const languageCodeField = asked !== undefined ? { language_code: asked } : model === 'elevenlabs-flash-v2-5' ? { language_code: languageOf(language) } : {};
  const voiceSettings =
    speed === 1 ? {} : { voice_settings: { ...(settings.voice_settings as object | undefined), speed: Math.min(1.2, Math.max(0.7, speed)) } };
  return { ...settings, ...voiceSettings, ...languageCodeField, text, model_id: Object.hasOwn(models, model) ? models[model] : model };
}

interface Body {
  voices?: unknown;
  detail?: { message?: unknown; status?: unknown } | string;
  audio_base64?: unknown;
  alignment?: { characters?: string[]; character_start_times_seconds?: number[]; character_end_times_seconds?: number[] } | null;
}

function parse(text: string): Body {
  try {
    return (JSON.parse(text) ?? {}) as Body;
  } catch {
    return {};
  }
}

function reasonOf(text: string): string {
  const { detail } = parse(text);
  if (typeof detail === 'string') return detail;
  return typeof detail?.message === 'string' ? detail.message : '';
}

function rawSpeech(request: ProviderRequest, text: string): RawSpeech {
  const { audio_base64: audio, alignment } = parse(text);
  if (typeof audio !== 'string' || audio === '') throw new ServiceError('sent no sound');
  const sound = parsePcm16(Buffer.from(audio, 'base64'), SAMPLE_RATE);
  const heard = (alignment?.characters ?? []).flatMap((character, i): TimedText[] => {
    const start = alignment?.character_start_times_seconds?.[i];
    const end = alignment?.character_end_times_seconds?.[i];
    return start === undefined || end === undefined ? [] : [{ text: character, start, end }];
  });
  const words = alignWords(splitWords(plainText(request.text), languageOf(request.language)), heard, durationOf(sound));
  return { audio: sound, words, isEstimated: heard.length === 0, warnings: [] };
}
