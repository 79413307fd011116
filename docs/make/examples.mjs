import { readFileSync } from 'node:fs';
import { contactSheets, movingSheets } from './sheets.mjs';

/**
 * The images of the script reference: what each shows, and the script that shows it. `at`: a still of that
 * second; `tiles`: one script for each tile of a sheet, a still each; neither: the whole movie, moving.
 */
const size = { width: 480, height: 270, fps: 30 };
const photo = 'mountains-dawn.jpg';
const dusk = 'lake-dusk.jpg';
const night = 'mountains-night.jpg';

const photoElement = (more = {}) => ({ type: 'image', src: photo, resize: 'cover', ...more });
const label = (text) => ({
  type: 'text',
  text,
  font_size: 26,
  font_weight: 700,
  position: 'bottom-left',
  'horizontal-position': 'left',
  'vertical-position': 'bottom',
});
const movie = (duration, elements, scene = {}) => ({ ...size, scenes: [{ duration, background: '#20283a', elements, ...scene }] });
const labelled = (duration, elements, text, scene) => movie(duration, [...elements, label(text)], scene);
const still = (topic, name, caption, script, at = 0) => ({ topic, name, caption, script, at, extension: 'webp' });
const moving = (topic, name, caption, script) => ({ topic, name, caption, script, extension: 'webp' });
/** Three moments of every component of some packs. */
const previews = (topic, name, caption, packs) => ({ topic, name, caption, previews: packs, columns: 2, extension: 'webp' });
const sheet = (topic, name, caption, columns, tiles) => ({ topic, name, caption, columns, tiles, extension: 'webp' });

const blends = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'add',
];

const styleNames = {
  '001': 'Standing still',
  '002': 'Fades in',
  '003': 'Word by word',
  '004': 'Popping letters',
  '005': 'Jumping letters',
  '006': 'From the right',
  '007': 'Turning letters',
  '008': 'Between lines',
  '009': 'In random order',
  '010': 'Out in random order',
  '011': 'Behind each line',
};

const card = (place) => ({ type: 'image', id: 'card', src: photo, resize: 'cover', ...place });
const name = (place) => ({ type: 'text', id: 'name', text: 'Alpine dawn', font_size: 34, font_weight: 700, 'horizontal-position': 'left', ...place });

/** A movie of examples/, as it is written in the folder of its media. */
const readExample = (name) => JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8').replaceAll('"media/', '"'));
const moments = {
  'property-tour': 2.5,
  'product-launch': 3,
  'vertical-story': 2.4,
  'podcast-audiogram': 4,
  'event-recap': 10,
  recipe: 3,
  'sports-result': 3.2,
  recruiting: 2.4,
  'news-brief': 7,
  weather: 3,
  'course-intro': 3,
  'birthday-card': 3.4,
};

/** An example in one of its shapes. */
const shaped = (name, tall) => {
  const script = readExample(name);
  return { ...script, variables: { ...script.variables, tall } };
};

export const examples = [
  movingSheets.transitions,
  contactSheets.transitions,
  moving('transitions', 'morph', 'morph: the card and its label have an id in both scenes', {
    ...size,
    scenes: [
      { duration: 1.2, background: '#20283a', elements: [card({ x: 30, y: 55, width: 160, height: 160 }), name({ x: 210, y: 100, width: 240, height: 60 })] },
      {
        duration: 1.8,
        background: '#e9e2d4',
        transition: { style: 'morph', duration: 1 },
        elements: [card({ x: 0, y: 0, width: 480, height: 270 }), name({ x: 20, y: 200, width: 340, height: 60 })],
      },
    ],
  }),
  ...Object.entries(styleNames).map(([style, text]) =>
    moving('text', `text-${style}`, `Style ${style}`, movie(4, [photoElement({ src: night }), { type: 'text', text, style, font_size: 44, duration: 4 }])),
  ),
  still(
    'text',
    'text-look',
    'Stroke, shadow, background, padding and radius',
    movie(1, [
      photoElement(),
      {
        type: 'text',
        text: 'Outlined',
        font: 'Bebas Neue',
        font_size: 90,
        color: '#ffe14d',
        text_stroke: '6px #16324f',
        'text-shadow': '4px 6px 8px #000000aa',
        y: -50,
      },
      {
        type: 'text',
        text: 'on a label of its own',
        font_size: 26,
        color: '#16324f',
        background_color: '#ffffffdd',
        padding: '8px 18px',
        'border-radius': 18,
        'text-shadow': 'none',
        y: 70,
      },
    ]),
  ),
  still(
    'text',
    'text-scripts',
    'Scripts, directions and emoji',
    movie(1, [
      {
        type: 'text',
        text: 'Hello · Привет · مرحبا\nשלום · नमस्ते · สวัสดี\n你好 · こんにちは · 안녕 👋🏽',
        font_size: 40,
        line_height: 1.5,
        'text-shadow': 'none',
      },
    ]),
  ),
  sheet('Place and size', 'resize', 'cover, contain and a size of its own', 3, [
    { script: labelled(1, [photoElement()], 'cover'), at: 0 },
    { script: labelled(1, [photoElement({ resize: 'contain', src: 'logo.png' })], 'contain'), at: 0 },
    { script: labelled(1, [photoElement({ resize: 'none', width: 200, position: 'top-right' })], 'width: 200'), at: 0 },
  ]),
  movingSheets.animations,
  contactSheets.animations,
  moving('Motion', 'zoom', 'zoom: 4', movie(4, [photoElement({ zoom: 4 })])),
  moving('Motion', 'pan', 'pan: right, pan-distance: 0.2', movie(4, [photoElement({ src: dusk, pan: 'right', 'pan-distance': 0.2 })])),
  moving(
    'Motion',
    'rotate',
    'rotate: {angle: 360, speed: 4}',
    movie(4, [{ type: 'image', src: 'logo.png', width: 180, position: 'center', rotate: { angle: 360, speed: 4 } }]),
  ),
  moving(
    'Motion',
    'keyframes',
    'keyframes of x, scale, rotation and opacity',
    movie(4, [
      photoElement({ src: night }),
      {
        type: 'image',
        src: 'logo.png',
        width: 140,
        position: 'center',
        keyframes: [
          { time: 0, x: -300, rotation: -180, opacity: 0, easing: 'easeOutCubic' },
          { time: 1.2, x: 0, rotation: 0, opacity: 1, scale: 1 },
          { time: 2, scale: 1, easing: 'easeOutElastic' },
          { time: 3, scale: 1.5, x: 0, easing: 'easeInBack' },
          { time: '100%', x: 400 },
        ],
      },
    ]),
  ),
  sheet(
    'Pixels',
    'blend-modes',
    'Every blend mode: a landscape over another',
    5,
    blends.map((blend_mode) => ({ script: labelled(1, [photoElement(), photoElement({ src: dusk, blend_mode })], blend_mode), at: 0 })),
  ),
  sheet('Pixels', 'pixels', 'Correction, blur, corner radius and chroma key', 4, [
    { script: labelled(1, [photoElement({ correction: { saturation: 0 } })], 'saturation 0'), at: 0 },
    { script: labelled(1, [photoElement({ correction: { contrast: 1.6, brightness: 0.05 } })], 'contrast 1.6'), at: 0 },
    { script: labelled(1, [photoElement({ correction: { gamma: 1.8 } })], 'gamma 1.8'), at: 0 },
    { script: labelled(1, [photoElement({ correction: { saturation: 2.2 } })], 'saturation 2.2'), at: 0 },
    { script: labelled(1, [photoElement({ blur: 6 })], 'blur 6'), at: 0 },
    { script: labelled(1, [{ type: 'image', src: photo, width: 360, position: 'center', corner_radius: 40 }], 'corner_radius 40'), at: 0 },
    {
      script: labelled(1, [photoElement({ src: dusk }), { type: 'image', src: 'logo.png', width: 200, position: 'center', opacity: 0.5 }], 'opacity 0.5'),
      at: 0,
    },
    { script: labelled(1, [photoElement({ src: night }), photoElement({ 'chroma-key': { color: '#f2b27a', tolerance: 30 } })], 'chroma_key'), at: 0 },
  ]),
  moving(
    'audiogram',
    'audiogram',
    'The wave of the music',
    movie(4, [
      photoElement({ src: night }),
      { type: 'audiogram', height: 140, y: 65, opacity: 0.9, color: '#ffd27a' },
      { type: 'audio', src: 'music.wav', duration: -2 },
    ]),
  ),
  moving(
    'group',
    'group',
    'A photo and its title as one card in perspective',
    movie(4, [
      photoElement({ src: dusk, blur: 8 }),
      {
        type: 'group',
        drop_shadow: true,
        keyframes: [
          { time: 0, rotate_y: -85, opacity: 0, easing: 'easeOutCubic' },
          { time: 0.2, opacity: 1 },
          { time: 1.2, rotate_y: 0, easing: 'easeInOutSine' },
          { time: 4, rotate_y: 30, rotate_x: -12 },
        ],
        elements: [
          { type: 'image', src: photo, width: 250, position: 'center', corner_radius: 12 },
          { type: 'text', text: 'First light', font_size: 30, font_weight: 800, y: 44, animate: { in: { type: 'rise', by: 'letter', delay: 0.5 } } },
        ],
      },
    ]),
  ),
  movingSheets.captions,
  contactSheets.captions,
  moving(
    'subtitles',
    'subtitles',
    'boxed-word',
    movie(4, [
      photoElement({ src: dusk }),
      {
        type: 'subtitles',
        captions: '1\n00:00:00,000 --> 00:00:02,000\nEvery word at its time\n\n2\n00:00:02,000 --> 00:00:04,000\nand in its own box\n',
        settings: { style: 'boxed-word', 'font-size': 34, 'box-color': '#d0006f', 'word-color': '#ffffff' },
      },
    ]),
  ),
  moving(
    'html',
    'html',
    'A page whose CSS animation follows the movie',
    movie(3, [
      photoElement(),
      {
        type: 'html',
        html: '<style>@keyframes in{from{transform:translateX(-110%)}to{transform:none}}.c{animation:in 1s cubic-bezier(.2,.8,.2,1) both;margin:150px 0 0 24px;display:inline-block;padding:12px 26px;border-radius:14px;background:linear-gradient(90deg,#ff7a3dee,#d0006fee);color:#fff;font:700 30px Inter}</style><div class="c">Live from the page</div>',
      },
    ]),
  ),
  moving(
    'component',
    'component',
    'basic/050',
    movie(4, [
      photoElement({ src: dusk }),
      { type: 'component', component: 'basic/050', settings: { headline: { text: 'Mountains at dusk' }, lead: { text: 'A lake in the valley' } } },
    ]),
  ),
  previews('component', 'components', 'The components of the packs advanced, basic, shape and textbox at three moments', [
    'advanced',
    'basic',
    'shape',
    'textbox',
  ]),
  movingSheets.components,
  contactSheets.components,
  sheet(
    'examples',
    'data-story',
    'examples/data-story.json',
    4,
    [3, 8.5, 12.5, 17].map((at) => ({ script: shaped('data-story', false), at })),
  ),
  sheet(
    'examples',
    'examples',
    'Some of the examples',
    4,
    Object.entries(moments).map(([name, at]) => ({ script: shaped(name, false), at })),
  ),
  sheet(
    'examples',
    'examples-tall',
    'The same examples in 9:16',
    6,
    Object.entries(moments).map(([name, at]) => ({ script: shaped(name, true), at })),
  ),
];
