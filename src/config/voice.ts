import { isAbsolute, join } from 'node:path';
import { ConfigError, type Environment } from './environment.js';

export interface VoiceConfig {
  azure: { key: string; url: string } | undefined;
  elevenLabs: { key: string; url: string } | undefined;
  /** Any service with OpenAI's /audio/speech; those of one's own network often want no key. */
  openAi: { key: string | undefined; url: string; model: string; voice: string } | undefined;
  /** Folder of a neural voice for sherpa-onnx. */
  sherpaModelDir: string | undefined;
  /** Spoken texts are kept here, by their content. */
  cacheDir: string;
  maxCacheBytes: number;
  /** host:port of the services above: the operator names them, so they may lie in a private network. */
  hosts: readonly string[];
  /** What the speech programs of this machine may see of the environment. */
  programEnvironment: Readonly<Record<string, string>>;
}

const MEGABYTE = 1_000_000;

/** Messages never repeat a key. */
export function parseVoiceConfig(environment: Environment, dataDir: string): VoiceConfig {
  const azure = parseAzure(environment);
  const elevenLabs = parseElevenLabs(environment);
  const openAi = parseOpenAi(environment);
  const urls = [azure, elevenLabs, openAi].flatMap((service) => (service === undefined ? [] : [service.url]));
  return Object.freeze({
    azure,
    elevenLabs,
    openAi,
    sherpaModelDir: parseFolder(environment, 'FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR'),
    cacheDir: join(dataDir, 'voices'),
    maxCacheBytes: environment.integer('FRAMEWRIGHT_VOICE_CACHE_MB', 1000, { min: 0, max: 1_000_000 }) * MEGABYTE,
    hosts: Object.freeze(urls.map(hostOf)),
    programEnvironment: Object.freeze(environment.select((name) => /^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH)$/.test(name))),
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
  const model = environment.text('FRAMEWRIGHT_VOICE_OPENAI_MODEL') ?? 'gpt-4o-mini-tts';
  const voice = environment.text('FRAMEWRIGHT_VOICE_OPENAI_VOICE') ?? 'alloy';
  if (key === undefined && endpoint === undefined) return undefined;
  return Object.freeze({ key, url: endpoint ?? 'https://api.openai.com/v1', model, voice });
}

export function parseServiceUrl(environment: Environment, name: string, schemes = /^https?:$/): string | undefined {
  const text = environment.text(name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigError(name, 'is not a plain http:// or https:// address (no user, query or fragment)');
  }
  return url.href.replace(/\/+$/, '');
}

export function hostOf(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port === '' ? (/^(https|wss):$/.test(protocol) ? '443' : '80') : port}`;
}

export function parseFolder(environment: Environment, name: string): string | undefined {
  const path = environment.text(name);
  if (path !== undefined && !isAbsolute(path)) throw new ConfigError(name, `"${path}" is not an absolute path of a folder`);
  return path;
}
