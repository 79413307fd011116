import { ConfigError, type Environment } from './environment.js';
import { hostOf, parseFolder, parseServiceUrl } from './voice.js';

/** Any service with OpenAI's /audio/transcriptions; those of one's own network often want no key. */
export interface SpeechServiceConfig {
  key: string | undefined;
  url: string;
  model: string;
  /** host:port of the service: the operator names it, so it may lie in a private network. */
  host: string;
}

/** A model on this machine, for sherpa-onnx. */
export interface SpeechModelConfig {
  modelDir: string;
  /** What its process may see of the environment. */
  programEnvironment: Readonly<Record<string, string>>;
}

export type SpeechToTextConfig = { service: SpeechServiceConfig; sherpa?: never } | { sherpa: SpeechModelConfig; service?: never };

const FOLDER = 'FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR';

/** Undefined: nothing recognises speech here. */
export function parseSpeechToTextConfig(environment: Environment): SpeechToTextConfig | undefined {
  const service = parseService(environment);
  const modelDir = parseFolder(environment, FOLDER);
  if (modelDir === undefined) return service && Object.freeze({ service });
  if (service !== undefined) {
    throw new ConfigError(FOLDER, 'a service is set too (FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY or _ENDPOINT); only one of them can recognise speech');
  }
  const programEnvironment = Object.freeze(environment.select((name) => /^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH)$/.test(name)));
  return Object.freeze({ sherpa: Object.freeze({ modelDir, programEnvironment }) });
}

function parseService(environment: Environment): SpeechServiceConfig | undefined {
  const key = environment.text('FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY');
  const endpoint = parseServiceUrl(environment, 'FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT');
  const model = environment.text('FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_MODEL') ?? 'whisper-1';
  if (key === undefined && endpoint === undefined) return undefined;
  const url = endpoint ?? 'https://api.openai.com/v1';
  return Object.freeze({ key, url, model, host: hostOf(url) });
}
