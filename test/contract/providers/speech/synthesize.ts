import { loadConfig } from '../../../../src/config/index.js';
import { createSpeechSynthesizer, type Speech, type SpeechRequest, type SpeechSynthesizer } from '../../../../src/providers/speech/index.js';
import { createTemporaryFolder } from '../../../support/temporary-folders.js';

export interface Speaking {
  folder: string;
  speaker: SpeechSynthesizer;
  speak(request: SpeechRequest, signal?: AbortSignal): Promise<Speech>;
}

/** Creates a synthesizer from environment variables, with a temporary folder. */
export function startSpeaking(environment: Record<string, string> = {}): Speaking {
  const folder = createTemporaryFolder('framewright-voice-');
  const config = loadConfig({ ...process.env, FRAMEWRIGHT_VOICE_CACHE_MB: '0', FRAMEWRIGHT_DATA_DIR: folder, ...environment });
  const speaker = createSpeechSynthesizer(config.voice, { allowPrivateHosts: [] });
  const speak: Speaking['speak'] = async (request, signal = new AbortController().signal) => {
    const prepared = await speaker.prepare(request, { folder, signal });
    return 'path' in prepared ? prepared : prepared.buy(async () => {});
  };
  return { folder, speaker, speak };
}
