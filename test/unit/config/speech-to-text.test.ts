import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';

const configOf = (values: Record<string, string>) => loadConfig({ FRAMEWRIGHT_DATA_DIR: '/tmp', ...values }).speechToText;

describe('speech recognition', () => {
  test('is off by default, and not switched on by a model alone', () => {
    expect(configOf({})).toBeUndefined();
    expect(configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_MODEL: 'whisper-large' })).toBeUndefined();
  });

  test('is switched on by a key or by an endpoint', () => {
    expect(configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY: 'sk' })).toEqual({
      service: { key: 'sk', url: 'https://api.openai.com/v1', model: 'whisper-1', host: 'api.openai.com:443' },
    });
    expect(configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: 'http://10.1.2.3:9000/v1/' })).toEqual({
      service: { key: undefined, url: 'http://10.1.2.3:9000/v1', model: 'whisper-1', host: '10.1.2.3:9000' },
    });
  });

  test('is refused with an endpoint that is none', () => {
    expect(() => configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: 'ftp://host' })).toThrow(/^FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: /);
  });

  test('is switched on by the folder of a model, whose process sees no secrets', () => {
    const config = configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR: '/models/whisper', PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x' });
    expect(config).toEqual({ sherpa: { modelDir: '/models/whisper', programEnvironment: { PATH: '/bin' } } });
  });

  test('is refused with a relative folder, and with a service beside it', () => {
    const folder = 'FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR';
    expect(() => configOf({ [folder]: 'models' })).toThrow(`${folder}: "models" is not an absolute path of a folder`);
    expect(() => configOf({ [folder]: '/models', FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY: 'sk-secret' })).toThrow(
      /^FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR: a service is set too/,
    );
  });
});
