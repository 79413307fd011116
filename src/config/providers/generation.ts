import { join } from 'node:path';
import { ConfigError, type Environment } from '../environment.js';
import { hostOf, parseServiceUrl } from './service.js';

/** A service with OpenAI's interface that generates images or videos; services in a private network often need no key. */
export interface GenerationServiceConfig {
  /** The name that a script's `connection` refers to. */
  name: string;
  /** Without a slash at the end. */
  url: string;
  key: string | undefined;
  /** Models that scripts may use; the first one is the default. */
  models: readonly string[];
}

/** Generation of images and videos from prompts. */
export interface GenerationConfig {
  image: GenerationServiceConfig | undefined;
  video: GenerationServiceConfig | undefined;
  /** Maximum number of different images and videos that one movie may generate. */
  maxPerMovie: number;
  /** Cache of generated files, keyed by everything that influences them. */
  cacheDir: string;
  maxCacheBytes: number;
  /** `host:port` of the services, which may be in a private network. */
  hosts: readonly string[];
}

/** Error messages never repeat a key. */
export function parseGenerationConfig(environment: Environment, dataDir: string): GenerationConfig {
  const image = parseService(environment, {
    url: 'FRAMEWRIGHT_IMAGE_API_URL',
    key: 'FRAMEWRIGHT_IMAGE_API_KEY',
    model: 'FRAMEWRIGHT_IMAGE_API_MODEL',
    name: 'FRAMEWRIGHT_IMAGE_API_NAME',
    defaults: { url: 'https://api.openai.com/v1', model: 'gpt-image-1' },
  });
  const video = parseService(environment, {
    url: 'FRAMEWRIGHT_VIDEO_API_URL',
    key: 'FRAMEWRIGHT_VIDEO_API_KEY',
    model: 'FRAMEWRIGHT_VIDEO_API_MODEL',
    name: 'FRAMEWRIGHT_VIDEO_API_NAME',
  });
  return Object.freeze({
    image,
    video,
    maxPerMovie: environment.integer('FRAMEWRIGHT_GENERATION_PER_MOVIE', 20, { min: 1, max: 1000 }),
    cacheDir: join(dataDir, 'generated'),
    maxCacheBytes: environment.integer('FRAMEWRIGHT_GENERATION_CACHE_MB', 2000, { min: 0, max: 1_000_000 }) * 1e6,
    hosts: Object.freeze([image, video].flatMap((service) => (service === undefined ? [] : [hostOf(service.url)]))),
  });
}

interface Variables {
  url: string;
  key: string;
  model: string;
  name: string;
  /** Used if only a key is set. */
  defaults?: { url: string; model: string };
}

function parseService(environment: Environment, { defaults, ...names }: Variables): GenerationServiceConfig | undefined {
  const given = parseServiceUrl(environment, names.url);
  const key = environment.text(names.key);
  if (given === undefined && key === undefined) return undefined;
  const url = given ?? defaults?.url;
  if (url === undefined) throw new ConfigError(names.url, `must be the address of the service, such as https://videos.example/v1, when ${names.key} is set`);
  const listed = environment.list(names.model);
  const models = listed.length > 0 ? listed : defaults === undefined ? [] : [defaults.model];
  if (models.length === 0) throw new ConfigError(names.model, `must name the model to use when ${names.url} is set`);
  const name = environment.text(names.name) ?? 'default';
  if (!/^[\w.-]{1,100}$/.test(name)) throw new ConfigError(names.name, 'must be a name of letters, digits, dots, hyphens and underscores');
  return Object.freeze({ name, url: new URL(url).pathname === '/' ? `${url}/v1` : url, key, models: Object.freeze(models) });
}
