import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';

const prices = (values: Record<string, string> = {}) => loadConfig({ FRAMEWRIGHT_DATA_DIR: '/var/movies', ...values }).prices;

describe('prices of provider services', () => {
  it('are 0 by default, without limits', () => {
    expect(prices()).toEqual({
      speech: { azure: 0, elevenlabs: 0, openai: 0 },
      image: 0,
      video: 0,
      videoSeconds: 5,
      transcription: 0,
      limits: { perMovie: undefined, perDay: {} },
    });
  });

  it('may have up to three decimals', () => {
    const given = prices({
      FRAMEWRIGHT_VOICE_AZURE_PRICE: '1.5',
      FRAMEWRIGHT_VOICE_ELEVENLABS_PRICE: '10',
      FRAMEWRIGHT_VOICE_OPENAI_PRICE: '0.125',
      FRAMEWRIGHT_IMAGE_API_PRICE: '4',
      FRAMEWRIGHT_VIDEO_API_PRICE: '20',
      FRAMEWRIGHT_VIDEO_API_SECONDS: '8',
      FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_PRICE: '0.6',
    });
    expect(given).toMatchObject({ speech: { azure: 1.5, elevenlabs: 10, openai: 0.125 }, image: 4, video: 20, videoSeconds: 8, transcription: 0.6 });
    for (const value of ['1.2345', '-1', '1e3', '2000000', 'free']) {
      expect(() => prices({ FRAMEWRIGHT_IMAGE_API_PRICE: value })).toThrow('is not a number from 0 to 1000000 with up to three decimals');
    }
  });

  it('are limited per movie, and per day for all plans or some', () => {
    expect(prices({ FRAMEWRIGHT_PROVIDER_CREDITS_PER_MOVIE: '0' }).limits.perMovie).toBe(0);
    expect(prices({ FRAMEWRIGHT_PROVIDER_CREDITS_PER_DAY: '100' }).limits.perDay).toEqual({ free: 100, starter: 100, pro: 100, enterprise: 100 });
    expect(prices({ FRAMEWRIGHT_PROVIDER_CREDITS_PER_DAY: 'free=0, pro=500' }).limits.perDay).toEqual({ free: 0, pro: 500 });
    for (const value of ['1,2', 'gold=5', 'free=-1', 'free']) {
      expect(() => prices({ FRAMEWRIGHT_PROVIDER_CREDITS_PER_DAY: value })).toThrow('such as free=10 (free, starter, pro, enterprise)');
    }
  });
});
