import { describe, expect, it, test } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';

const generation = (values: Record<string, string>) => loadConfig({ FRAMEWRIGHT_DATA_DIR: '/var/films', ...values }).generation;

describe('generation settings', () => {
  it('are empty without a service', () => {
    expect(generation({ FRAMEWRIGHT_IMAGE_API_MODEL: 'x' })).toEqual({
      image: undefined,
      video: undefined,
      maxPerMovie: 20,
      cacheDir: '/var/films/generated',
      maxCacheBytes: 2_000_000_000,
      hosts: [],
    });
  });

  it('use OpenAI for a key alone and append /v1 to addresses without a path', () => {
    expect(generation({ FRAMEWRIGHT_IMAGE_API_KEY: 'k' }).image).toEqual({
      name: 'default',
      url: 'https://api.openai.com/v1',
      key: 'k',
      models: ['gpt-image-1'],
    });
    const config = generation({
      FRAMEWRIGHT_IMAGE_API_URL: 'http://images.local:8080/',
      FRAMEWRIGHT_IMAGE_API_NAME: 'studio',
      FRAMEWRIGHT_VIDEO_API_URL: 'https://films.example/api/v2',
      FRAMEWRIGHT_VIDEO_API_MODEL: 'wan-2, kling-1-6',
      FRAMEWRIGHT_GENERATION_PER_MOVIE: '3',
      FRAMEWRIGHT_GENERATION_CACHE_MB: '0',
    });
    expect(config.image).toMatchObject({ name: 'studio', url: 'http://images.local:8080/v1', key: undefined });
    expect(config.video).toMatchObject({ url: 'https://films.example/api/v2', models: ['wan-2', 'kling-1-6'] });
    expect(config).toMatchObject({ hosts: ['images.local:8080', 'films.example:443'], maxPerMovie: 3, maxCacheBytes: 0 });
  });

  it('are passed to render processes', () => {
    expect(loadConfig({ FRAMEWRIGHT_IMAGE_API_KEY: 'k' }).jobs.workerEnvironment).toMatchObject({ FRAMEWRIGHT_IMAGE_API_KEY: 'k' });
  });

  test.each<[Record<string, string>, string]>([
    [{ FRAMEWRIGHT_VIDEO_API_KEY: 'secret' }, 'FRAMEWRIGHT_VIDEO_API_URL: must be the address of the service'],
    [{ FRAMEWRIGHT_VIDEO_API_URL: 'http://films' }, 'FRAMEWRIGHT_VIDEO_API_MODEL: must name the model to use'],
    [{ FRAMEWRIGHT_IMAGE_API_URL: 'http://me:secret@films' }, 'FRAMEWRIGHT_IMAGE_API_URL: is not a plain'],
    [{ FRAMEWRIGHT_IMAGE_API_KEY: 'secret', FRAMEWRIGHT_IMAGE_API_NAME: 'a b' }, 'FRAMEWRIGHT_IMAGE_API_NAME: must be a name'],
  ])('reject %j', (values, message) => {
    const parse = (): unknown => generation(values);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow('secret');
  });
});
