import type { Outbound } from '../../../outbound/index.js';
import { detectSpeech } from '../audio/detect-speech.js';
import { concatAudio, silence } from '../audio/edit-audio.js';
import { parseWav } from '../audio/wav.js';
import { languageOf } from '../language/locale.js';
import type { PcmAudio, ProviderRequest, RawSpeech, VoiceProvider } from '../speech.js';
import { splitSentences } from '../text/sentences.js';
import { plainText } from '../text/ssml.js';
import { estimateWords } from '../words/estimate-words.js';
import { splitWords } from '../words/split-words.js';
import { callService, errorForStatus, ServiceError } from './service-error.js';

const IDLE_MS = 120_000;
const MAX_BYTES = 100_000_000;
/** The interface's limit is 4096 characters. */
const MAX_CHARACTERS = 4000;
const BETWEEN_SECONDS = 0.3;

interface OpenAiSettings {
  key: string | undefined;
  url: string;
  model: string;
  voice: string;
}

/** Provider for OpenAI's /audio/speech and compatible services, which report no word times. */
export function createOpenAi(settings: OpenAiSettings, outbound: Outbound): VoiceProvider {
  return {
    name: 'openai',
    version: `${settings.url} ${settings.model} ${settings.voice}`,
    async synthesize(request, { signal }) {
      const sounds: PcmAudio[] = [];
      for (const input of inputsOf(request.text)) sounds.push(await callService('openai', signal, () => ask(input, request, settings, outbound, signal)));
      return rawSpeech(request, sounds);
    },
  };
}

/** Removes tags, which the service would read aloud, and splits long texts between sentences. */
function inputsOf(text: string): string[] {
  const inputs: string[] = [];
  for (const sentence of splitSentences(text).filter((one) => one.text !== '')) {
    const last = inputs.at(-1);
    if (last !== undefined && last.length + sentence.text.length < MAX_CHARACTERS) inputs[inputs.length - 1] = `${last} ${sentence.text}`;
    else inputs.push(sentence.text);
  }
  return inputs;
}

async function ask(input: string, request: ProviderRequest, settings: OpenAiSettings, outbound: Outbound, signal: AbortSignal): Promise<PcmAudio> {
  const { model = settings.model, ...modelSettings } = request.modelSettings ?? {};
  const answer = await outbound.send(`${settings.url}/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(settings.key === undefined ? {} : { authorization: `Bearer ${settings.key}` }) },
    body: JSON.stringify({
      ...modelSettings,
      ...(request.speed === 1 ? {} : { speed: request.speed }),
      model,
      input,
      voice: request.voice ?? settings.voice,
      response_format: 'wav',
    }),
    idleMs: IDLE_MS,
    maxResponseBytes: MAX_BYTES,
    signal,
  });
  if (answer.status !== 200) throw errorForStatus(answer.status, reasonOf(answer.text));
  const sound = parseWav(answer.body);
  if (sound !== undefined) return sound;
  const type = answer.headers['content-type']?.split(';')[0] ?? 'nothing';
  throw new ServiceError(`was asked for a WAV file and sent something else (${type.slice(0, 60)})`);
}

function reasonOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    if (typeof error === 'string') return error;
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return '';
  }
}

function rawSpeech(request: ProviderRequest, sounds: readonly PcmAudio[]): RawSpeech {
  const sampleRate = sounds[0]?.sampleRate ?? 24_000;
  const gap = silence(BETWEEN_SECONDS, sampleRate);
  const sound = concatAudio(
    sounds.flatMap((one, i) => (i === 0 ? [one] : [gap, one])),
    sampleRate,
  );
  const words = estimateWords(splitWords(plainText(request.text), languageOf(request.language)), detectSpeech(sound));
  return { audio: sound, words, isEstimated: true, warnings: [] };
}
