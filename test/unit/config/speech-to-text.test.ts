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
      key: 'sk',
      url: 'https://api.openai.com/v1',
      model: 'whisper-1',
      host: 'api.openai.com:443',
    });
    expect(configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: 'http://10.1.2.3:9000/v1/' })).toEqual({
      key: undefined,
      url: 'http://10.1.2.3:9000/v1',
      model: 'whisper-1',
      host: '10.1.2.3:9000',
    });
  });

  test('is refused with an endpoint that is none', () => {
    expect(() => configOf({ FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: 'ftp://host' })).toThrow(/^FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: /);
  });
});
