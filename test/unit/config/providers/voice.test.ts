import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';

const voice = (values: Record<string, string>) => loadConfig({ FRAMEWRIGHT_DATA_DIR: '/var/films', ...values }).voice;

describe('voice settings', () => {
  it('have no service by default and pass no secrets to programs', () => {
    expect(voice({ PATH: '/bin', SECRET: 'x', FRAMEWRIGHT_VOICE_AZURE_REGION: 'westeurope' })).toEqual({
      azure: undefined,
      elevenLabs: undefined,
      openAi: undefined,
      sherpaModelDir: undefined,
      cacheDir: '/var/films/voices',
      maxCacheBytes: 1_000_000_000,
      hosts: [],
      programEnvironment: { PATH: '/bin' },
    });
  });

  it('configure services and allow their hosts', () => {
    const config = voice({
      FRAMEWRIGHT_VOICE_AZURE_KEY: 'a',
      FRAMEWRIGHT_VOICE_AZURE_REGION: 'westeurope',
      FRAMEWRIGHT_VOICE_ELEVENLABS_KEY: 'e',
      FRAMEWRIGHT_VOICE_OPENAI_ENDPOINT: 'http://tts.local:8880/v1/',
      FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR: '/voices/amy',
      FRAMEWRIGHT_VOICE_CACHE_MB: '0',
    });
    expect(config.azure).toEqual({ key: 'a', url: 'https://westeurope.tts.speech.microsoft.com' });
    expect(config.elevenLabs).toEqual({ key: 'e', url: 'https://api.elevenlabs.io' });
    expect(config.openAi).toEqual({ key: undefined, url: 'http://tts.local:8880/v1', model: 'gpt-4o-mini-tts', voice: 'alloy' });
    expect(config.hosts).toEqual(['westeurope.tts.speech.microsoft.com:443', 'api.elevenlabs.io:443', 'tts.local:8880']);
    expect(config).toMatchObject({ sherpaModelDir: '/voices/amy', maxCacheBytes: 0 });
  });

  it('are passed to render processes', () => {
    const { workerEnvironment } = loadConfig({ FRAMEWRIGHT_VOICE_AZURE_KEY: 'a', FRAMEWRIGHT_VOICE_AZURE_REGION: 'westeurope' }).jobs;
    expect(workerEnvironment).toMatchObject({ FRAMEWRIGHT_VOICE_AZURE_KEY: 'a' });
  });

  it.each([
    [{ FRAMEWRIGHT_VOICE_AZURE_KEY: 'secret' }, 'FRAMEWRIGHT_VOICE_AZURE_REGION: must be the region'],
    [{ FRAMEWRIGHT_VOICE_AZURE_KEY: 'secret', FRAMEWRIGHT_VOICE_AZURE_REGION: 'a.b/c' }, 'FRAMEWRIGHT_VOICE_AZURE_REGION: must be the region'],
    [{ FRAMEWRIGHT_VOICE_OPENAI_ENDPOINT: 'http://me:secret@tts' }, 'FRAMEWRIGHT_VOICE_OPENAI_ENDPOINT: is not a plain'],
    [{ FRAMEWRIGHT_VOICE_ELEVENLABS_ENDPOINT: 'ftp://secret' }, 'FRAMEWRIGHT_VOICE_ELEVENLABS_ENDPOINT: is not a plain'],
    [{ FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR: 'voices' }, 'FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR: "voices" is not an absolute path'],
    [{ FRAMEWRIGHT_VOICE_CACHE_MB: 'all' }, 'FRAMEWRIGHT_VOICE_CACHE_MB: "all" is not'],
  ])('reject %o', (values, message) => {
    expect(() => voice(values as Record<string, string>)).toThrow(message);
    expect(() => voice(values as Record<string, string>)).not.toThrow(/secret/);
  });
});
