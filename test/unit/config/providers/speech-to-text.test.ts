import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';

const configOf = (values: Record<string, string>) => loadConfig({ FRAMEWRIGHT_DATA_DIR: '/tmp', ...values }).speechToText;

describe('speech recognition', () => {
  test('is off by default and with a model name alone', () => {
    expect(configOf({})).toBeUndefined();
    expect(configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_MODEL: 'whisper-large' })).toBeUndefined();
  });

  test('is enabled by a key or an endpoint', () => {
    expect(configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY: 'sk' })).toEqual({
      service: { key: 'sk', url: 'https://api.openai.com/v1', model: 'whisper-1', host: 'api.openai.com:443' },
    });
    expect(configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: 'http://10.1.2.3:9000/v1/' })).toEqual({
      service: { key: undefined, url: 'http://10.1.2.3:9000/v1', model: 'whisper-1', host: '10.1.2.3:9000' },
    });
  });

  test('rejects an invalid endpoint', () => {
    expect(() => configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: 'ftp://host' })).toThrow(/^FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: /);
  });

  test('is enabled by a model folder and passes no secrets to its process', () => {
    const config = configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR: '/models/whisper', PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x' });
    expect(config).toEqual({ sherpa: { modelDir: '/models/whisper', programEnvironment: { PATH: '/bin' } } });
  });

  test('rejects a relative folder, and a folder together with a service', () => {
    const folder = 'FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR';
    expect(() => configOf({ [folder]: 'models' })).toThrow(`${folder}: "models" is not an absolute path of a folder`);
    expect(() => configOf({ [folder]: '/models', FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY: 'sk-secret' })).toThrow(
      /^FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR: cannot be set together/,
    );
  });
});
