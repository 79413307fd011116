import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';
import { AppError } from '../../../src/errors/index.js';
import { createGenerationPolicy } from '../../../src/providers/generation/index.js';
import { checkTemplateScript, estimateMovie, type ParseMovieOptions, parseMovie } from '../../../src/script/index.js';

const movie = (...elements: object[]) => ({ width: 640, height: 360, scenes: [{ elements }] });
const AT = 'scenes.0.elements.0';

function refusal(script: unknown, options?: ParseMovieOptions): { path: string | undefined; message: string } {
  try {
    parseMovie(script, options);
  } catch (error) {
    if (error instanceof AppError) return { path: error.path, message: error.message };
    throw error;
  }
  throw new Error('accepted');
}

const policy = (environment: Record<string, string>): ParseMovieOptions => ({
  checkGeneration: createGenerationPolicy(loadConfig({ FRAMEWRIGHT_DATA_DIR: '/var/films', ...environment }).generation),
});

describe('a picture from a prompt', () => {
  it('is read in both spellings, with the defaults of the schema', () => {
    const script = movie(
      { type: 'image', prompt: ' a cat ', 'aspect-ratio': 'square', model: 'flux-pro', 'model-settings': { seed: 1 }, src: null },
      { type: 'video', prompt: 'a cat', aspect_ratio: 'vertical', model_settings: { seconds: 4 }, connection: 'studio' },
      { type: 'image', prompt: 'a cat', src: '' },
    );
    const [first, second, third] = parseMovie(script).scenes[0]?.elements ?? [];
    expect(first).toMatchObject({ generation: { kind: 'image', prompt: 'a cat', aspectRatio: 'squared', model: 'flux-pro', modelSettings: { seed: 1 } } });
    expect(second).toMatchObject({ generation: { kind: 'video', aspectRatio: 'vertical', modelSettings: { seconds: 4 }, connection: 'studio' } });
    expect(third).toMatchObject({ generation: { kind: 'image', prompt: 'a cat', aspectRatio: 'horizontal' } });
  });

  it('is that of the URL where there is one too', () => {
    const script = movie({ type: 'image', prompt: 'a cat', src: 'https://example.com/a.png' });
    const [element] = parseMovie(script, policy({})).scenes[0]?.elements ?? [];
    expect(element).toMatchObject({ src: 'https://example.com/a.png' });
    expect(element).not.toHaveProperty('generation');
  });

  it.each([
    [{ type: 'image' }, 'src', "an image needs the property 'src'."],
    [{ type: 'image', prompt: '' }, 'src', "an image needs the property 'src'."],
    [{ type: 'image', prompt: '  ' }, 'prompt', 'prompt must not be empty unless src is given.'],
    [{ type: 'image', src: null }, 'src', 'src must be a string, not null.'],
    [{ type: 'image', prompt: 5 }, 'prompt', 'prompt must be a string, not 5.'],
    [{ type: 'image', prompt: 'x', 'aspect-ratio': 'wide' }, 'aspect-ratio', /must be one of "horizontal", "vertical", "squared", "square", not "wide"/],
    [{ type: 'image', prompt: 'x', 'model-settings': 'y' }, 'model-settings', /must be an object, not/],
    [{ type: 'image', 'image-prompt': 'x' }, 'image-prompt', /write what is to be seen as prompt/],
    [{ type: 'audio', prompt: 'x' }, 'src', /an audio needs the property 'src'/],
  ])('%j is refused at %s', (element, field, message) => {
    const refused = refusal(movie(element));
    expect(refused.path).toBe(`${AT}.${field}`);
    expect(refused.message).toMatch(message);
  });

  it('is refused where nothing makes it, in words for the client and the operator', () => {
    expect(refusal(movie({ type: 'image', prompt: 'a cat' }), policy({}))).toEqual({
      path: `${AT}.prompt`,
      message:
        'prompt is refused: no provider of images is set up on this host; its operator sets FRAMEWRIGHT_IMAGE_API_URL or FRAMEWRIGHT_IMAGE_API_KEY, or give the URL of an image as src.',
    });
    expect(refusal(movie({ type: 'video', prompt: 'a cat' }), policy({ FRAMEWRIGHT_IMAGE_API_KEY: 'k' })).message).toMatch(/FRAMEWRIGHT_VIDEO_API_URL/);
  });

  it('may name its provider', () => {
    const studio = policy({ FRAMEWRIGHT_IMAGE_API_KEY: 'secret', FRAMEWRIGHT_IMAGE_API_NAME: 'studio' });
    expect(() => parseMovie(movie({ type: 'image', prompt: 'a cat', connection: 'studio' }), studio)).not.toThrow();
    expect(refusal(movie({ type: 'image', prompt: 'a cat', connection: 'mine' }), studio)).toEqual({
      path: `${AT}.connection`,
      message: 'connection is refused: this host has no provider of images with that name, but one named "studio".',
    });
  });

  it('costs nothing beside the render; a film of unknown length counts as any clip', () => {
    expect(estimateMovie(parseMovie(movie({ type: 'image', prompt: 'a cat', duration: 3 }))).credits).toBe(3);
    expect(estimateMovie(parseMovie(movie({ type: 'video', prompt: 'a cat' }))).durationSeconds).toBe(10);
  });

  it('may be a template\u2019s, whose prompt is a variable', () => {
    expect(() => checkTemplateScript(movie({ type: 'image', prompt: '{{topic}}' }))).not.toThrow();
  });
});

it('expressions know how long a film is that was made', () => {
  const script = {
    variables: { topic: 'cat' },
    scenes: [
      { elements: [{ type: 'video', id: 'film', prompt: 'a {{topic}}', 'aspect-ratio': 'square', 'model-settings': { seed: '{{topic}}' } }] },
      { duration: '{{film_duration + 1}}', elements: [] },
    ],
  };
  const first = parseMovie(script);
  const [element] = first.scenes[0]?.elements ?? [];
  expect(first.isEstimated).toBe(true);
  const src = element?.type === 'video' ? element.src : '';
  const movieKnown = parseMovie(script, { mediaSeconds: (asked) => (asked === src ? 3 : undefined) });
  expect(movieKnown.isEstimated).toBeUndefined();
  expect(movieKnown.scenes[1]?.duration).toBe(4);
});
