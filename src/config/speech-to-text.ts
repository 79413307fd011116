import type { Environment } from './environment.js';
import { hostOf, parseServiceUrl } from './voice.js';

/** Any service with OpenAI's /audio/transcriptions; those of one's own network often want no key. */
export interface SpeechToTextConfig {
  key: string | undefined;
  url: string;
  model: string;
  /** host:port of the service: the operator names it, so it may lie in a private network. */
  host: string;
}

/** Undefined: nothing recognises speech here. */
export function parseSpeechToTextConfig(environment: Environment): SpeechToTextConfig | undefined {
  const key = environment.text('FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY');
  const endpoint = parseServiceUrl(environment, 'FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT');
  const model = environment.text('FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_MODEL') ?? 'whisper-1';
  if (key === undefined && endpoint === undefined) return undefined;
  const url = endpoint ?? 'https://api.openai.com/v1';
  return Object.freeze({ key, url, model, host: hostOf(url) });
}
