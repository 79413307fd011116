import { type DbConfig, parseDbConfig, parseRedisConfig, type RedisConfig } from './database.js';
import { type EngineConfig, parseEngineConfig } from './engine.js';
import { Environment, type EnvironmentValues } from './environment.js';
import { type ExportsConfig, parseExportsConfig } from './exports.js';
import { type HtmlConfig, parseHtmlConfig } from './html.js';
import { type HttpConfig, parseHttpConfig } from './http.js';
import { type JobsConfig, type PreviewConfig, parseJobsConfig, parsePreviewConfig } from './jobs.js';
import { type OutboundConfig, parseOutboundConfig } from './outbound.js';
import { type PacksConfig, parsePacksConfig } from './packs.js';
import { type GenerationConfig, parseGenerationConfig } from './providers/generation.js';
import { type PricesConfig, parsePricesConfig } from './providers/prices.js';
import { parseSpeechToTextConfig, type SpeechToTextConfig } from './providers/speech-to-text.js';
import { parseVoiceConfig, type VoiceConfig } from './providers/voice.js';
import { parseSandboxConfig, type SandboxConfig } from './sandbox.js';
import { type CacheConfig, parseCacheConfig, parseRetentionConfig, parseStorageConfig, type RetentionConfig, type StorageConfig } from './storage.js';
import { parseWebhooksConfig, type WebhooksConfig } from './webhooks.js';

/** All settings, frozen. */
export interface Config {
  readonly http: HttpConfig;
  readonly storage: StorageConfig;
  readonly cache: CacheConfig;
  readonly db: DbConfig;
  readonly outbound: OutboundConfig;
  readonly engine: EngineConfig;
  readonly html: HtmlConfig;
  readonly jobs: JobsConfig;
  readonly exports: ExportsConfig;
  readonly packs: PacksConfig;
  readonly preview: PreviewConfig;
  readonly redis: RedisConfig;
  readonly retention: RetentionConfig;
  readonly sandbox: SandboxConfig;
  readonly voice: VoiceConfig;
  /** Undefined: speech is not recognised. */
  readonly speechToText: SpeechToTextConfig | undefined;
  readonly generation: GenerationConfig;
  readonly prices: PricesConfig;
  readonly webhooks: WebhooksConfig;
}

/** Reads all environment variables. Throws ConfigError for the first invalid one. */
export function loadConfig(values: EnvironmentValues = process.env): Config {
  const environment = new Environment(values);
  const storage = parseStorageConfig(environment);
  return Object.freeze({
    http: parseHttpConfig(environment),
    storage,
    cache: parseCacheConfig(environment, storage.dataDir),
    db: parseDbConfig(environment, storage.dataDir),
    outbound: parseOutboundConfig(environment),
    engine: parseEngineConfig(environment),
    html: parseHtmlConfig(environment),
    jobs: parseJobsConfig(environment),
    exports: parseExportsConfig(environment),
    packs: parsePacksConfig(environment),
    preview: parsePreviewConfig(environment),
    redis: parseRedisConfig(environment),
    retention: parseRetentionConfig(environment),
    sandbox: parseSandboxConfig(environment),
    voice: parseVoiceConfig(environment, storage.dataDir),
    speechToText: parseSpeechToTextConfig(environment),
    generation: parseGenerationConfig(environment, storage.dataDir),
    prices: parsePricesConfig(environment),
    webhooks: parseWebhooksConfig(environment),
  });
}
