import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';
import { createPricing } from '../../../src/providers/pricing/index.js';
import { estimateMovie, parseMovie } from '../../../src/script/index.js';

const services = {
  FRAMEWRIGHT_VOICE_OPENAI_KEY: 'k',
  FRAMEWRIGHT_VOICE_OPENAI_PRICE: '2',
  FRAMEWRIGHT_IMAGE_API_KEY: 'k',
  FRAMEWRIGHT_IMAGE_API_PRICE: '4',
  FRAMEWRIGHT_VIDEO_API_URL: 'https://videos.example',
  FRAMEWRIGHT_VIDEO_API_MODEL: 'wan',
  FRAMEWRIGHT_VIDEO_API_PRICE: '1.5',
  FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_KEY: 'k',
  FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_PRICE: '6',
};

function estimate(elements: unknown[], settings: Record<string, string> = services, more: object = {}) {
  const pricing = createPricing(loadConfig({ FRAMEWRIGHT_DATA_DIR: '/var/movies', ...settings }));
  return estimateMovie(parseMovie({ scenes: [{ duration: 1, elements }], ...more }), pricing);
}

const voice = (text: string, more: object = {}) => ({ type: 'voice', model: 'openai', text, ...more });
const image = (prompt: string) => ({ type: 'image', prompt });
const clip = { type: 'video', src: 'https://clips.example/a.mp4' };

describe('the estimate of provider services', () => {
  it('counts characters of speech, equal voices once, and rounds the sum up', () => {
    expect(estimate([voice('x'.repeat(1500))])).toEqual({ durationSeconds: 1, credits: 4, providerCredits: 3 });
    expect(estimate([voice('x'.repeat(1500)), voice('x'.repeat(1500))]).providerCredits).toBe(3);
    expect(estimate([voice('x'.repeat(10)), voice('y'.repeat(10))]).providerCredits).toBe(1);
    expect(estimate([voice('\u{1f600}'.repeat(500))]).providerCredits).toBe(1);
  });

  it('counts images, and videos by the seconds that they request', () => {
    expect(estimate([image('a'), image('b'), image('a')]).providerCredits).toBe(8);
    const video = { type: 'video', prompt: 'a' };
    expect(estimate([video]).providerCredits).toBe(8);
    expect(estimate([{ ...video, 'model-settings': { seconds: '8' } }]).providerCredits).toBe(12);
    expect(estimate([{ ...video, 'model-settings': { duration: 3.5 } }]).providerCredits).toBe(6);
  });

  it('counts transcripts of clips for subtitles without captions and voices', () => {
    const subtitles = { type: 'subtitles' };
    expect(estimate([clip, subtitles]).providerCredits).toBe(1);
    expect(
      estimate([clip, { ...clip, src: 'https://clips.example/b.mp4' }, { ...clip, muted: true, src: 'https://clips.example/c.mp4' }, subtitles])
        .providerCredits,
    ).toBe(2);
    expect(estimate([clip, { ...subtitles, captions: '1\n00:00:00,000 --> 00:00:01,000\nHi' }]).providerCredits).toBe(0);
    expect(estimate([clip, subtitles, voice('x')]).providerCredits).toBe(1);
    expect(estimate([clip], services, { elements: [subtitles] }).providerCredits).toBe(1);
  });

  it('is 0 for voices of the host, for services without a price and for services that are not configured', () => {
    expect(estimate([voice('x'.repeat(5000), { model: 'offline' })]).providerCredits).toBe(0);
    expect(estimate([voice('x'.repeat(5000), { model: 'azure' })]).providerCredits).toBe(0);
    expect(estimate([voice('x'.repeat(5000), { model: 'none' })]).providerCredits).toBe(0);
    expect(estimate([voice('x'.repeat(5000)), image('a')], { FRAMEWRIGHT_VOICE_OPENAI_KEY: 'k', FRAMEWRIGHT_IMAGE_API_KEY: 'k' })).toMatchObject({
      credits: 1,
      providerCredits: 0,
    });
  });

  it('names the property that exceeds the limit per movie', () => {
    const limited = { ...services, FRAMEWRIGHT_PROVIDER_CREDITS_PER_MOVIE: '9' };
    expect(estimate([image('a'), image('b')], limited).providerCredits).toBe(8);
    expect(() => estimate([image('a'), voice('x'), image('b'), image('c')], limited)).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_VALIDATION_ERROR',
        path: 'scenes.0.elements.3.prompt',
        message: 'Provider services for this movie cost 13 credits; up to 9 are allowed per movie on this host, and this property exceeds them.',
      }),
    );
  });
});
