import { type CacheConfig, parseCacheConfig } from './cache.js';
import { type DbConfig, parseDbConfig } from './db.js';
import { type EngineConfig, parseEngineConfig } from './engine.js';
import { Environment, type EnvironmentValues } from './environment.js';
import { type ExportsConfig, parseExportsConfig } from './exports.js';
import { type GenerationConfig, parseGenerationConfig } from './generation.js';
import { type HtmlConfig, parseHtmlConfig } from './html.js';
import { type HttpConfig, parseHttpConfig } from './http.js';
import { type JobsConfig, parseJobsConfig } from './jobs.js';
import { type OutboundConfig, parseOutboundConfig } from './outbound.js';
import { type PacksConfig, parsePacksConfig } from './packs.js';
import { type PreviewConfig, parsePreviewConfig } from './preview.js';
import { parseRedisConfig, type RedisConfig } from './redis.js';
import { parseRetentionConfig, type RetentionConfig } from './retention.js';
import { parseSandboxConfig, type SandboxConfig } from './sandbox.js';
import { parseSpeechToTextConfig, type SpeechToTextConfig } from './speech-to-text.js';
import { parseStorageConfig, type StorageConfig } from './storage.js';
import { parseVoiceConfig, type VoiceConfig } from './voice.js';
import { parseWebhooksConfig, type WebhooksConfig } from './webhooks.js';

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
  readonly speechToText: SpeechToTextConfig | undefined;
  readonly generation: GenerationConfig;
  readonly webhooks: WebhooksConfig;
}

/** Reads every variable once; throws ConfigError at the first one that is wrong. */
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
    webhooks: parseWebhooksConfig(environment),
  });
}
