import { ConfigError, type Environment } from '../environment.js';
import { hostOf, parseModelFolder, parseServiceUrl, programEnvironment } from './service.js';

/** A service with OpenAI's /audio/transcriptions; services in a private network often need no key. */
export interface SpeechServiceConfig {
  key: string | undefined;
  url: string;
  model: string;
  /** `host:port` of the service, which may be in a private network. */
  host: string;
}

/** A local model for sherpa-onnx. */
export interface SpeechModelConfig {
  modelDir: string;
  /** Environment of the process that runs the model. */
  programEnvironment: Readonly<Record<string, string>>;
}

export type SpeechToTextConfig = { service: SpeechServiceConfig; sherpa?: never } | { sherpa: SpeechModelConfig; service?: never };

const FOLDER = 'FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR';

/** Returns undefined if neither a service nor a model is configured. */
export function parseSpeechToTextConfig(environment: Environment): SpeechToTextConfig | undefined {
  const service = parseService(environment);
  const modelDir = parseModelFolder(environment, FOLDER);
  if (modelDir === undefined) return service && Object.freeze({ service });
  if (service !== undefined) {
    throw new ConfigError(FOLDER, 'cannot be set together with FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY or _ENDPOINT: only one of them can recognise speech');
  }
  return Object.freeze({ sherpa: Object.freeze({ modelDir, programEnvironment: programEnvironment(environment) }) });
}

function parseService(environment: Environment): SpeechServiceConfig | undefined {
  const key = environment.text('FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY');
  const endpoint = parseServiceUrl(environment, 'FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT');
  const model = environment.text('FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_MODEL') ?? 'whisper-1';
  if (key === undefined && endpoint === undefined) return undefined;
  const url = endpoint ?? 'https://api.openai.com/v1';
  return Object.freeze({ key, url, model, host: hostOf(url) });
}
