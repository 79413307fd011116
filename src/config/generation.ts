import { join } from 'node:path';
import { ConfigError, type Environment } from './environment.js';
import { hostOf, parseServiceUrl } from './voice.js';

/** A service that makes pictures or films and speaks OpenAI's interface; those of one's own network often want no key. */
export interface GenerationServiceConfig {
  /** By which a script's `connection` means it. */
  name: string;
  /** Without a slash at its end. */
  url: string;
  key: string | undefined;
  /** What scripts may ask for; the first is the default. */
  models: readonly string[];
}

export interface GenerationConfig {
  image: GenerationServiceConfig | undefined;
  video: GenerationServiceConfig | undefined;
  /** Different pictures and films that one movie may have made. */
  maxPerMovie: number;
  /** What was made is kept here, by everything that decides it. */
  cacheDir: string;
  maxCacheBytes: number;
  /** host:port of the services: the operator names them, so they may lie in a private network. */
  hosts: readonly string[];
}

const MEGABYTE = 1_000_000;

/** Messages never repeat a key. */
export function parseGenerationConfig(environment: Environment, dataDir: string): GenerationConfig {
  const image = parseService(environment, {
    url: 'FRAMEWRIGHT_IMAGE_API_URL',
    key: 'FRAMEWRIGHT_IMAGE_API_KEY',
    model: 'FRAMEWRIGHT_IMAGE_API_MODEL',
    name: 'FRAMEWRIGHT_IMAGE_API_NAME',
    usual: { url: 'https://api.openai.com/v1', model: 'gpt-image-1' },
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
    maxCacheBytes: environment.integer('FRAMEWRIGHT_GENERATION_CACHE_MB', 2000, { min: 0, max: 1_000_000 }) * MEGABYTE,
    hosts: Object.freeze([image, video].flatMap((service) => (service === undefined ? [] : [hostOf(service.url)]))),
  });
}

interface Variables {
  url: string;
  key: string;
  model: string;
  name: string;
  /** Where a key alone leads. */
  usual?: { url: string; model: string };
}

function parseService(environment: Environment, { usual, ...names }: Variables): GenerationServiceConfig | undefined {
  const given = parseServiceUrl(environment, names.url);
  const key = environment.text(names.key);
  if (given === undefined && key === undefined) return undefined;
  const url = given ?? usual?.url;
  if (url === undefined) throw new ConfigError(names.url, `must be the address of the service, such as https://films.example/v1, when ${names.key} is set`);
  const listed = environment.list(names.model);
  const models = listed.length > 0 ? listed : usual === undefined ? [] : [usual.model];
  if (models.length === 0) throw new ConfigError(names.model, `must name the model to ask for when ${names.url} is set`);
  const name = environment.text(names.name) ?? 'default';
  if (!/^[\w.-]{1,100}$/.test(name)) throw new ConfigError(names.name, 'must be a name of letters, digits, dots, hyphens and underscores');
  return Object.freeze({ name, url: new URL(url).pathname === '/' ? `${url}/v1` : url, key, models: Object.freeze(models) });
}
