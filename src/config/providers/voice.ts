import { join } from 'node:path';
import { ConfigError, type Environment } from '../environment.js';
import type { SpeechService } from './prices.js';
import { hostOf, parseModelFolder, parseServiceUrl, programEnvironment } from './service.js';

/** Speech synthesis services and programs. */
export interface VoiceConfig {
  azure: { key: string; url: string } | undefined;
  elevenLabs: { key: string; url: string } | undefined;
  /** Any service with OpenAI's /audio/speech; services in a private network often need no key. */
  openAi: { key: string | undefined; url: string; model: string; voice: string } | undefined;
  /** Folder of a neural voice for sherpa-onnx. */
  sherpaModelDir: string | undefined;
  /** Cache of spoken texts, keyed by content. */
  cacheDir: string;
  maxCacheBytes: number;
  /** `host:port` of the services above, which may be in a private network. */
  hosts: readonly string[];
  /** Environment of the speech programs on this host. */
  programEnvironment: Readonly<Record<string, string>>;
}

/** The service that speaks for a voice model of a script; undefined for models of this host. */
export function voiceServiceOf(model: string): SpeechService | undefined {
  if (model.startsWith('elevenlabs')) return 'elevenlabs';
  return model === 'azure' || model === 'openai' ? model : undefined;
}

/** Error messages never repeat a key. */
export function parseVoiceConfig(environment: Environment, dataDir: string): VoiceConfig {
  const azure = parseAzure(environment);
  const elevenLabs = parseElevenLabs(environment);
  const openAi = parseOpenAi(environment);
  return Object.freeze({
    azure,
    elevenLabs,
    openAi,
    sherpaModelDir: parseModelFolder(environment, 'FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR'),
    cacheDir: join(dataDir, 'voices'),
    maxCacheBytes: environment.integer('FRAMEWRIGHT_VOICE_CACHE_MB', 1000, { min: 0, max: 1_000_000 }) * 1e6,
    hosts: Object.freeze([azure, elevenLabs, openAi].flatMap((service) => (service === undefined ? [] : [hostOf(service.url)]))),
    programEnvironment: programEnvironment(environment),
  });
}

function parseAzure(environment: Environment): VoiceConfig['azure'] {
  const key = environment.text('FRAMEWRIGHT_VOICE_AZURE_KEY');
  const region = environment.text('FRAMEWRIGHT_VOICE_AZURE_REGION');
  const endpoint = parseServiceUrl(environment, 'FRAMEWRIGHT_VOICE_AZURE_ENDPOINT', /^(https?|wss?):$/);
  if (key === undefined) return undefined;
  if (endpoint === undefined && (region === undefined || !/^[a-z0-9-]{2,40}$/.test(region))) {
    throw new ConfigError(
      'FRAMEWRIGHT_VOICE_AZURE_REGION',
      'must be the region of the speech resource, such as westeurope, when FRAMEWRIGHT_VOICE_AZURE_KEY is set',
    );
  }
  return Object.freeze({ key, url: endpoint ?? `https://${region}.tts.speech.microsoft.com` });
}

function parseElevenLabs(environment: Environment): VoiceConfig['elevenLabs'] {
  const key = environment.text('FRAMEWRIGHT_VOICE_ELEVENLABS_KEY');
  const url = parseServiceUrl(environment, 'FRAMEWRIGHT_VOICE_ELEVENLABS_ENDPOINT') ?? 'https://api.elevenlabs.io';
  return key === undefined ? undefined : Object.freeze({ key, url });
}

function parseOpenAi(environment: Environment): VoiceConfig['openAi'] {
  const key = environment.text('FRAMEWRIGHT_VOICE_OPENAI_KEY');
  const endpoint = parseServiceUrl(environment, 'FRAMEWRIGHT_VOICE_OPENAI_ENDPOINT');
  if (key === undefined && endpoint === undefined) return undefined;
  const model = environment.text('FRAMEWRIGHT_VOICE_OPENAI_MODEL') ?? 'gpt-4o-mini-tts';
  const voice = environment.text('FRAMEWRIGHT_VOICE_OPENAI_VOICE') ?? 'alloy';
  return Object.freeze({ key, url: endpoint ?? 'https://api.openai.com/v1', model, voice });
}
