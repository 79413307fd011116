import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { checkTemplateScript, parseMovie } from '../../../src/script/index.js';

function refusal(script: unknown): { path: string | undefined; message: string } {
  try {
    parseMovie(script);
  } catch (error) {
    if (error instanceof AppError) return { path: error.path, message: error.message };
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(script)}`);
}

const SRC = 'https://example.com/a.jpg';
const inScene = (element: object, more: object = {}) => ({ ...more, scenes: [{ elements: [element] }] });
const image = (more: object) => inScene({ type: 'image', src: SRC, ...more });
const text = (settings: object) => inScene({ type: 'text', text: 'x', settings });
const subtitles = (more: object) => ({ scenes: [{}], elements: [{ type: 'subtitles', ...more }] });
const AT = 'scenes.0.elements.0';

describe('a name that belongs elsewhere, or is called otherwise here, is refused with what to write', () => {
  test.each<[script: unknown, path: string, message: RegExp]>([
    [{ webhook: SRC, scenes: [{}] }, 'webhook', /^unknown property 'webhook' of a movie script; write the URL as webhook_uri\.$/],
    [{ template: 'abc', variables: {} }, 'template', /POST \/api\/render\/template/],
    [{ movie: { scenes: [{}] } }, 'movie', /the scenes stand at the top of the script/],
    [{ soundtrack: { src: SRC }, scenes: [{}] }, 'soundtrack', /put an audio element with "duration": -2 into the movie's elements/],
    [{ transition: {}, scenes: [{}] }, 'transition', /it belongs on a scene\.$/],
    [{ volume: 1, scenes: [{}] }, 'volume', /it belongs on an element\.$/],
    [{ scenes: [{ 'background-image': SRC }] }, 'scenes.0.background-image', /an image or video element with "resize": "cover"/],
    [{ scenes: [{ volume: 1 }] }, 'scenes.0.volume', /it belongs on an element of the scene\.$/],
    [{ scenes: [{ resolution: 'hd' }] }, 'scenes.0.resolution', /it belongs at the top of the movie script\.$/],
    [{ scenes: [{ transition: { name: 'fade' } }] }, 'scenes.0.transition.name', /write the name of the transition as style/],
    [inScene({ type: 'image', url: SRC }), `${AT}.url`, /^unknown property 'url' of an image; write the URL as src\.$/],
    [inScene({ type: 'text', content: 'x' }), `${AT}.content`, /write the words as text/],
    [inScene({ type: 'text', text: 'x', spans: [] }), `${AT}.spans`, /write "markup": true, and tags like <b>/],
    [inScene({ type: 'text', text: 'x', language: 'de' }), `${AT}.language`, /write it as lang/],
    [inScene({ type: 'image', description: 'a cat' }), `${AT}.description`, /write what is to be seen as prompt/],
    [image({ 'object-fit': 'cover' }), `${AT}.object-fit`, /write "resize": "cover" \(fills the canvas\) or "contain"/],
    [image({ style: 'circle' }), `${AT}.style`, /write "corner-radius", with "50%" for a circle/],
    [image({ animations: [] }), `${AT}.animations`, /write keyframes/],
    [image({ transition: {} }), `${AT}.transition`, /it belongs on the scene\.$/],
    [image({ fps: 5 }), `${AT}.fps`, /it belongs at the top of the movie script\.$/],
    [image({ rotate: { degrees: 5 } }), `${AT}.rotate.degrees`, /of a rotate; write the degrees as angle\.$/],
    [inScene({ type: 'voice', text: 'x', rate: 1 }), `${AT}.rate`, /of a voice; write it as speed; 1 is normal\.$/],
    [inScene({ type: 'html', html: 'x', css: '' }), `${AT}.css`, /of an element of html; write it into a <style> of html/],
    [image({ volume: 1 }), `${AT}.volume`, /only video, audio, voice and audiogram have it\.$/],
    [inScene({ type: 'component', component: 'basic/000', 'font-size': 5 }), `${AT}.font-size`, /it belongs in a group of its settings/],
    [text({ 'outline-text': '#000' }), `${AT}.settings.outline-text`, /^unknown property 'outline-text'/],
    [text({ 'zzz-unheard-of': 1 }), `${AT}.settings.zzz-unheard-of`, /of the text settings; it is not a CSS property\.$/],
    [text({ 'boder-style': 'solid' }), `${AT}.settings.boder-style`, /did you mean 'border-style'\?$/],
    [text({ 'scroll-behaviour': 'auto' }), `${AT}.settings.scroll-behaviour`, /did you mean 'scroll-behavior'\?$/],
    [inScene({ type: 'text', text: 'x', 'border-top': '1px solid' }), `${AT}.border-top`, /it belongs in its settings\.$/],
    [subtitles({ 'font-size': 40 }), 'elements.0.font-size', /^unknown property 'font-size' of subtitles; it belongs in its settings\.$/],
    [subtitles({ settings: { 'vertical-align': 'top' } }), 'elements.0.settings.vertical-align', /write position, such as "bottom-center"\.$/],
    [subtitles({ settings: { 'highlight-color': 'red' } }), 'elements.0.settings.highlight-color', /write it as word-color\.$/],
    [subtitles({ settings: { captions: SRC } }), 'elements.0.settings.captions', /it belongs on the element itself/],
  ])('%j', (script, path, message) => {
    const refused = refusal(script);
    expect(refused.path).toBe(path);
    expect(refused.message).toMatch(message);
  });
});

describe('a value that others take is refused with what to write', () => {
  test.each<[script: unknown, path: string, message: RegExp]>([
    [{ resolution: 'landscape', scenes: [{}] }, 'resolution', /write "full-hd"\.$/],
    [{ resolution: '4k', scenes: [{}] }, 'resolution', /not "4k"; write "width": 3840, "height": 2160 instead\.$/],
    [{ resolution: '1080x1920', scenes: [{}] }, 'resolution', /write width and height instead\.$/],
    [{ quality: 'very_high', scenes: [{}] }, 'quality', /"high" is the best there is\.$/],
    [inScene({ type: 'video', src: SRC, muted: 'true' }), `${AT}.muted`, /^muted must be a boolean, not the string "true"; write true without quotes\.$/],
    [{ scenes: [{ transition: 'fade' }] }, 'scenes.0.transition', /write \{"style": "fade", "duration": 1\}\.$/],
    [inScene({ type: 'rectangle' }), `${AT}.type`, /such as "shape\/rectangle"/],
    [image({ x: 'center' }), `${AT}.x`, /not "center"; to place it in words write position, such as "position": "center"\.$/],
    [image({ duration: 'auto' }), `${AT}.duration`, /write -1 for its own length, or -2 to last as long as the scene\.$/],
    [image({ zoom: { start: 1, end: 1.2 } }), `${AT}.zoom`, /keyframes of scale/],
    [image({ opacity: '50%' }), `${AT}.opacity`, /write half as 0\.5\.$/],
    [inScene({ type: 'audio', src: SRC, volume: 50 }), `${AT}.volume`, /from 0 to 10, not 50; write 1 to leave it as it is, and 0\.5 for half\.$/],
    [image({ pan: 'up' }), `${AT}.pan`, /write "top"\.$/],
    [text({ color: 'ff8800' }), `${AT}.settings.color`, /write # before the digits/],
    [text({ 'text-align': 'middle' }), `${AT}.settings.text-align`, /write "center"\.$/],
    [{ scenes: [{ background: 'linear-gradient(red, blue)' }] }, 'scenes.0.background', /use an html element for gradients\.$/],
    [image({ scale: 0.5 }), `${AT}.scale`, /write \{"width": 640, "height": 360\}/],
    [inScene({ type: 'text', text: 'x', style: 3 }), `${AT}.style`, /not 3; did you mean "003"\?$/],
    [subtitles({ settings: { style: 'hormozi' } }), 'elements.0.settings.style', /"classic" and "boxed-word" highlight the spoken word\.$/],
  ])('%j', (script, path, message) => {
    const refused = refusal(script);
    expect(refused.path).toBe(path);
    expect(refused.message).toMatch(message);
  });

  test('keyframes have a scale of their own', () => {
    expect(refusal(image({ keyframes: [{ time: 0, scale: 101 }] })).message).toBe('scale must be a number from 0 to 100, not 101.');
  });
});

describe('a variable that is missing where a value is needed', () => {
  test.each<[script: unknown, path: string, message: string]>([
    [inScene({ type: 'image', src: '{{image_url}}' }), `${AT}.src`, 'src needs the variable "image_url", which is not given.'],
    [
      inScene({ type: 'image', src: '{{image_url}}' }, { variables: { imageUrl: SRC, '@imageUrl': '' } }),
      `${AT}.src`,
      'src needs the variable "image_url", which is not given; did you mean "imageUrl"?',
    ],
    [inScene({ type: 'image', src: 'https://example.com/{{ file }}.jpg' }), `${AT}.src`, 'src needs the variable "file", which is not given.'],
    [inScene({ type: 'image', src: '{{ rooms[0].url }}' }), `${AT}.src`, 'src needs {{rooms[0].url}}, for which the variables have no value.'],
    [image({ duration: '{{seconds}}' }), `${AT}.duration`, 'duration needs the variable "seconds", which is not given.'],
    [image({ mask: '{{mask}}' }), `${AT}.mask`, 'mask needs the variable "mask", which is not given.'],
    [text({ color: '{{ink}}' }), `${AT}.settings.color`, 'color needs the variable "ink", which is not given.'],
    [{ resolution: '{{size}}', scenes: [{}] }, 'resolution', 'resolution needs the variable "size", which is not given.'],
  ])('%j', (script, path, message) => {
    expect(refusal(script)).toEqual({ path, message });
  });

  test('is said of the script as sent', () => {
    const script = { variables: { yes: false }, scenes: [{ condition: '{{yes}}' }, { elements: [{ type: 'video', src: '{{clip}}' }] }] };
    expect(refusal(script)).toEqual({ path: 'scenes.1.elements.0.src', message: 'src needs the variable "clip", which is not given.' });
  });

  test('or has nothing in it', () => {
    expect(refusal(inScene({ type: 'image', src: '{{photo}}' }, { variables: { photo: '' } }))).toEqual({
      path: `${AT}.src`,
      message: 'src must not be empty. It is written "{{photo}}".',
    });
  });

  test('is no fault of a template, nor of a text', () => {
    expect(() => checkTemplateScript(inScene({ type: 'image', src: 'https://example.com/{{file}}.jpg', duration: '{{seconds}}' }))).not.toThrow();
    expect(() => parseMovie(inScene({ type: 'text', text: 'Hello {{name}}' }))).not.toThrow();
    expect(() => checkTemplateScript(image({ x: 'center', y: '{{y}}' }))).toThrow(/write position/);
  });
});

test('what came as text is taken as a boolean where one is wanted', () => {
  const movie = parseMovie(inScene({ type: 'video', src: SRC, muted: '{{quiet}}' }, { variables: { quiet: 'true' }, draft: '{{quiet}}' }));
  expect(movie.scenes[0]?.elements[0]).toMatchObject({ muted: true });
});

test('what is accepted for the sake of other scripts', () => {
  const movie = parseMovie({
    project: 'my-project',
    scenes: [
      {
        elements: [
          { type: 'audiogram', volume: '0.5', muted: false },
          { type: 'text', text: 'x', settings: { background: '#ff0000', opacity: '0.5' } },
        ],
      },
    ],
  });
  expect(movie.scenes[0]?.elements[1]).toMatchObject({ opacity: 0.5, typography: { backgroundColor: { r: 255, g: 0, b: 0, a: 255 } } });
});
