import { type SpeechService, type VoiceConfig, voiceServiceOf } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import type { Outbound } from '../../outbound/index.js';
import { createEspeak } from './engines/espeak.js';
import { createFestival } from './engines/festival.js';
import { createFlite } from './engines/flite.js';
import type { OfflineEngine } from './engines/offline-engine.js';
import { createOfflineProvider, rankEngines } from './engines/offline-provider.js';
import { offlineEngineModels } from './models.js';
import { createAzure } from './services/azure.js';
import { createElevenLabs } from './services/elevenlabs.js';
import { createOpenAi } from './services/openai.js';
import { createSherpa, sherpaVoice } from './sherpa/sherpa.js';
import type { ProviderRequest, VoiceProvider } from './speech.js';

export interface SelectedProvider {
  provider: VoiceProvider;
  /** Warnings for the client if another voice than the requested one is used. */
  warnings: string[];
}

/** The available voice providers. Local engines are searched on the first request. */
export class VoiceCatalogue {
  readonly services: ReadonlyMap<SpeechService, VoiceProvider>;
  readonly engines: readonly OfflineEngine[];
  readonly #sherpa: OfflineEngine | undefined;
  readonly #versions = new Map<OfflineEngine, Promise<string | undefined>>();

  constructor(config: VoiceConfig, outbound: Outbound) {
    const services = new Map<SpeechService, VoiceProvider>();
    if (config.azure !== undefined) services.set('azure', createAzure(config.azure, outbound));
    if (config.elevenLabs !== undefined) services.set('elevenlabs', createElevenLabs(config.elevenLabs, outbound));
    if (config.openAi !== undefined) services.set('openai', createOpenAi(config.openAi, outbound));
    this.services = services;
    this.engines = [createFestival, createFlite, createEspeak].map((create) => create(config.programEnvironment));
    this.#sherpa = config.sherpaModelDir === undefined ? undefined : createSherpa(config.sherpaModelDir, config.programEnvironment);
  }

  get localEngines(): readonly OfflineEngine[] {
    return this.#sherpa === undefined ? this.engines : [...this.engines, this.#sherpa];
  }

  versionOf(engine: OfflineEngine): Promise<string | undefined> {
    const known = this.#versions.get(engine) ?? engine.findVersion();
    this.#versions.set(engine, known);
    return known;
  }

  /** Selects the requested provider, or the best local voice with a warning. */
  async select(request: ProviderRequest): Promise<SelectedProvider> {
    const name = voiceServiceOf(request.model);
    const service = name && this.services.get(name);
    if (service !== undefined) return { provider: service, warnings: [] };
    if (request.model === 'sherpa' && this.#sherpa !== undefined) {
      const version = await this.versionOf(this.#sherpa);
      const voice = sherpaVoice(request.voice);
      if (version !== undefined) return { provider: createOfflineProvider(this.#sherpa, version, voice), warnings: [] };
    }
    return this.#selectOfflineEngine(request);
  }

  async #selectOfflineEngine(request: ProviderRequest): Promise<SelectedProvider> {
    const warnings: string[] = [];
    const available = await this.#available();
    const best = rankEngines(available, request)[0] ?? rankEngines(available, { ...request, language: 'en-US' })[0];
    if (best === undefined) {
      throw new AppError('RENDER_FAILED', {
        message: 'this host has no voice: its operator can install festival, flite or espeak-ng, or set up a voice service',
      });
    }
    const { engine, voice } = best;
    if (!offlineEngineModels.has(request.model))
      warnings.push(`the voice model "${request.model}" is not set up on this host, so its own voice speaks (${engine.name} ${voice})`);
    else if (request.model !== 'offline' && request.model !== engine.name)
      warnings.push(`"${request.model}" cannot speak this here, so ${engine.name} does (${voice})`);
    if (engine.voiceFor(request.language, false) === undefined)
      warnings.push(`no voice of this host speaks the language "${request.language}", so an English one reads the text`);
    return { provider: createOfflineProvider(engine, (await this.versionOf(engine)) ?? '', voice), warnings };
  }

  async #available(): Promise<OfflineEngine[]> {
    const versions = await Promise.all(this.engines.map((engine) => this.versionOf(engine)));
    return this.engines.filter((_, i) => versions[i] !== undefined);
  }
}
