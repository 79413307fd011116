import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { checkTemplateScript, parseMovie } from '../../../src/script/index.js';

const SRC = 'https://example.com/a.png';
const captions = '1\n00:00:00,000 --> 00:00:01,000\nHello\n';
const movie = (element: object, scene: object = {}, more: object = {}): unknown => ({ ...more, scenes: [{ duration: 1, ...scene, elements: [element] }] });

/** A value that was left empty is as if it were not there. */
describe('what an editor leaves empty is absent', () => {
  it.each<[what: string, empty: unknown, absent: unknown]>([
    ['choices of a picture', movie({ type: 'image', src: SRC, resize: '', position: '', pan: ' ', mask: '', width: '' }), movie({ type: 'image', src: SRC })],
    [
      'styling of a text',
      movie({ type: 'text', text: 'Hi', style: '', settings: { 'font-family': '', 'font-size': '', color: null, 'text-shadow': '', 'vertical-position': '' } }),
      movie({ type: 'text', text: 'Hi', settings: {} }),
    ],
    [
      'styling of subtitles',
      movie({ type: 'subtitles', captions, settings: { 'word-color': '', style: '', 'font-size': null } }),
      movie({ type: 'subtitles', captions, settings: {} }),
    ],
    ['a voice', movie({ type: 'voice', text: 'Hi', model: '', voice: '', language: '' }), movie({ type: 'voice', text: 'Hi' })],
    [
      'a transition',
      movie({ type: 'image', src: SRC }, { transition: { style: '', duration: 1 } }),
      movie({ type: 'image', src: SRC }, { transition: { duration: 1 } }),
    ],
    [
      'measures of a video',
      movie({
        type: 'video',
        src: SRC,
        zoom: '',
        rotate: '',
        'fade-in': '',
        fade_out: ' ',
        'z-index': '',
        start: '',
        seek: '',
        loop: '',
        volume: '',
        opacity: '',
      }),
      movie({ type: 'video', src: SRC }),
    ],
    ['a preset', movie({ type: 'image', src: SRC }, {}, { resolution: '' }), movie({ type: 'image', src: SRC })],
    [
      'switches and lengths',
      movie({ type: 'video', src: SRC, duration: '', muted: '', cache: '', 'flip-horizontal': '', flip_vertical: '', 'pan-crop': '' }),
      movie({ type: 'video', src: SRC }),
    ],
    ["a transition's length", movie({ type: 'image', src: SRC }, { transition: { duration: '' } }), movie({ type: 'image', src: SRC }, { transition: {} })],
    [
      'measures that belong together',
      movie({ type: 'image', src: SRC, rotate: { angle: 20, speed: '' }, correction: { gamma: ' ', contrast: 2 }, crop: { x: '', width: 20, height: 10 } }),
      movie({ type: 'image', src: SRC, rotate: { angle: 20 }, correction: { contrast: 2 }, crop: { width: 20, height: 10 } }),
    ],
    [
      'groups with nothing in them',
      movie({
        type: 'image',
        src: SRC,
        rotate: { angle: '', speed: null },
        crop: { x: '', y: '', width: '', height: '' },
        'chroma-key': { color: '', tolerance: '' },
      }),
      movie({ type: 'image', src: SRC }),
    ],
    [
      'what is ours too, where the script is theirs',
      movie(
        { type: 'text', text: 'Hi', color: '', 'font-size': '', settings: '' },
        { duration: '', 'background-color': '', transition: '' },
        { resolution: 'sd', width: '', height: '', fps: '', quality: '', settings: '' },
      ),
      movie({ type: 'text', text: 'Hi' }, { duration: undefined }, { resolution: 'sd' }),
    ],
    [
      'null, where the script is theirs',
      movie(
        { type: 'text', text: 'Hi', color: null, opacity: null },
        { duration: null, 'background-color': null },
        { resolution: 'sd', width: null, fps: null, quality: null, webhook_uri: null },
      ),
      movie({ type: 'text', text: 'Hi' }, { duration: undefined }, { resolution: 'sd' }),
    ],
    [
      'what a variable leaves empty',
      movie({ type: 'text', text: 'Hi', settings: { color: '{{brand}}' } }, {}, { variables: { brand: '' } }),
      movie({ type: 'text', text: 'Hi', settings: {} }),
    ],
  ])('%s', (_what, empty, absent) => {
    expect(parseMovie(empty)).toEqual(parseMovie(absent));
    expect(() => checkTemplateScript(empty)).not.toThrow();
  });
});

it.each([
  [movie({ type: 'image', src: '' }), 'scenes.0.elements.0.src', 'src must not be empty.'],
  [
    movie({ type: 'image', src: '{{photo}}' }, {}, { variables: { photo: '' } }),
    'scenes.0.elements.0.src',
    'src must not be empty. It is written "{{photo}}".',
  ],
  [movie({ type: 'voice', text: '' }), 'scenes.0.elements.0.text', 'text must not be empty.'],
  [movie({ type: 'image', src: SRC, chroma_key: { color: '', tolerance: 5 } }), 'scenes.0.elements.0.chroma_key.color', 'color must not be empty.'],
  [movie({ type: 'text', text: 'Hi' }, { background: '' }), 'scenes.0.background', 'background must not be empty.'],
  [movie({ type: 'text', text: 'Hi', color: '' }), 'scenes.0.elements.0.color', 'color must not be empty.'],
])('%j is still refused: contents are not left out', (script, path, message) => {
  try {
    parseMovie(script);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ path, message });
    return;
  }
  throw new Error('accepted');
});

it('does not touch a script without such values, or texts of components', () => {
  const component = { type: 'component', component: 'basic/000', settings: { headline: { text: '' } } };
  expect(parseMovie(movie(component)).scenes[0]?.elements[0]).toMatchObject({ settings: { headline: { text: '' } } });
});
