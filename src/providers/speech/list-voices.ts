import type { VoiceConfig } from '../../config/index.js';
import { espeakLanguages } from './engines/espeak.js';
import type { VoiceCatalogue } from './voice-catalogue.js';

export interface ListedVoice {
  /** Value for `voice` in a script; `*` for a service with its own list. */
  voice: string;
  languages: string;
  gender: 'female' | 'male' | 'any';
}

export interface ListedEngine {
  /** Value for `model` in a script. */
  model: string;
  available: boolean;
  /** The engine's name and version, or what is missing. */
  detail: string;
  voices: ListedVoice[];
}

export interface ListedVoices {
  engines: ListedEngine[];
}

const engineVoices: Readonly<Record<string, ListedVoice[]>> = {
  festival: [{ voice: 'cmu_us_slt_arctic_hts', languages: 'en', gender: 'female' }],
  flite: [
    { voice: 'slt', languages: 'en', gender: 'female' },
    { voice: 'rms', languages: 'en', gender: 'male' },
  ],
  'espeak-ng': [{ voice: '*', languages: espeakLanguages.join(' '), gender: 'any' }],
};
const engineWords: Readonly<Record<string, string>> = {
  festival: 'times of words; the voice for English where nothing else is set up',
  flite: 'times of words; the man\u2019s voice for English',
  'espeak-ng': 'times of words; every other language',
};
const missing: Readonly<Record<string, string>> = {
  festival: 'not installed (apt: festival festvox-us-slt-hts)',
  flite: 'not installed (apt: flite), or the speech program is not built (npm run setup)',
  'espeak-ng': 'not installed (apt: espeak-ng), or the speech program is not built (npm run setup)',
};

export async function listVoices(config: VoiceConfig, catalogue: VoiceCatalogue): Promise<ListedVoices> {
  const local = await Promise.all(
    catalogue.engines.map(async (engine): Promise<ListedEngine> => {
      const available = (await catalogue.versionOf(engine)) !== undefined;
      const detail = (available ? engineWords : missing)[engine.name] ?? '';
      return { model: engine.name, available, detail, voices: available ? (engineVoices[engine.name] ?? []) : [] };
    }),
  );
  return { engines: [...local, await listSherpa(config, catalogue), ...listServices(config)] };
}

async function listSherpa({ sherpaModelDir }: VoiceConfig, catalogue: VoiceCatalogue): Promise<ListedEngine> {
  const engine = catalogue.localEngines.find(({ name }) => name === 'sherpa');
  const available = engine !== undefined && (await catalogue.versionOf(engine)) !== undefined;
  const absent =
    engine === undefined ? 'FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR is not set' : `${sherpaModelDir} holds no voice, or sherpa-onnx-node is not installed`;
  return {
    model: 'sherpa',
    available,
    detail: available ? `the voice in ${sherpaModelDir}` : absent,
    voices: available ? [{ voice: '0', languages: '*', gender: 'any' }] : [],
  };
}

function listServices(config: VoiceConfig): ListedEngine[] {
  const service = (model: string, url: string | undefined, variable: string, languages: string): ListedEngine => ({
    model,
    available: url !== undefined,
    detail: url === undefined ? `${variable} is not set` : `asked at ${url}`,
    voices: url === undefined ? [] : [{ voice: '*', languages, gender: 'any' }],
  });
  const { azure, elevenLabs, openAi } = config;
  return [
    service('azure', azure?.url, 'FRAMEWRIGHT_VOICE_AZURE_KEY', '*'),
    ...['elevenlabs', 'elevenlabs-flash-v2-5', 'elevenlabs-v3'].map((model) => service(model, elevenLabs?.url, 'FRAMEWRIGHT_VOICE_ELEVENLABS_KEY', '*')),
    service('openai', openAi?.url, 'FRAMEWRIGHT_VOICE_OPENAI_KEY', '*'),
  ];
}
