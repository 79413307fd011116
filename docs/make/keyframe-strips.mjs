import { instants, keyed, logo, movie, night, tiles, words } from './visual-strips.mjs';

/** Strips of keyframes: a property over time. */
const photo = { src: 'mountains-dawn.jpg' };
const over = (property, from, to) => [
  { time: 0, [property]: from },
  { time: 3, [property]: to },
];
const moving = (property, script) => instants(`keyframe.${property}`, script, [0, 1, 2, 3]);
const title = { ...words, text: 'Colour', duration: 4 };
const points = (dark, bright) => [
  [0, 0],
  [0.3, dark],
  [0.7, bright],
  [1, 1],
];
/** Corners of a shape whose right side is lower than its left one. */
const shape = (left, top, right, bottom) => [
  [left, top],
  [right, top + 8],
  [right, bottom - 8],
  [left, bottom],
];
const card = { ...logo, position: 'center', drop_shadow: true };

export const keyframeStrips = [
  instants(
    'keyframe.time',
    keyed([
      { time: 1, x: -50 },
      { time: 3, x: 50 },
    ]),
    [0, 1, 2, 3],
  ),
  tiles(
    'keyframe.easing',
    ['linear', 'easeInCubic', 'easeOutCubic', 'easeOutBack'].map((easing) => [
      `${easing}, half-way`,
      keyed([
        { time: 0, x: -50, easing },
        { time: 4, x: 50 },
      ]),
      2,
    ]),
  ),
  ...[
    ['x', -25, 25],
    ['y', -25, 25],
    ['scale', 0.25, 1.5],
    ['blur', 6, 0],
    ['opacity', 0, 1],
  ].map(([property, from, to]) =>
    instants(
      `keyframe.${property}`,
      keyed([
        { time: 0, [property]: from },
        { time: 3, [property]: to },
      ]),
      [0, 1, 2, 3],
    ),
  ),
  ...[
    ['corner_radius', 40, 0],
    ['brightness', -0.6, 0],
    ['contrast', 0.2, 1],
    ['gamma', 0.3, 1],
    ['saturation', 0, 1],
    ['sharpen', 1, 0],
    ['vignette', 1, 0],
    ['grain', 1, 0],
  ].map(([property, from, to]) =>
    instants(
      `keyframe.${property}`,
      keyed(
        [
          { time: 0, [property]: from },
          { time: 3, [property]: to },
        ],
        { src: 'mountains-dawn.jpg', width: 130 },
      ),
      [0, 1, 2, 3],
    ),
  ),
  ...['x', 'y'].map((axis) =>
    instants(
      `keyframe.rotate_${axis}`,
      keyed(
        [
          { time: 0, [`rotate_${axis}`]: -80 },
          { time: 3, [`rotate_${axis}`]: 0 },
        ],
        { src: 'mountains-dawn.jpg', width: 110 },
      ),
      [0, 1, 2, 3],
    ),
  ),
  instants(
    'keyframe.rotation',
    keyed(
      [
        { time: 0, rotation: 0 },
        { time: 3, rotation: 135 },
      ],
      { src: 'mountains-dawn.jpg', width: 80 },
    ),
    [0, 1, 2, 3],
  ),
  ...['x', 'y'].map((axis) => moving(`skew_${axis}`, keyed(over(`skew_${axis}`, -30, 30), { ...photo, width: 90 }))),
  moving('width', keyed(over('width', 40, 140), { ...photo, width: 40, height: 60 })),
  moving('height', keyed(over('height', 20, 80), { ...photo, width: 100, height: 20 })),
  moving('crop', keyed(over('crop', { x: 0, y: 0, width: 1920, height: 1080 }, { x: 900, y: 300, width: 480, height: 270 }), { ...photo, width: 144 })),
  moving('color', movie([night, { ...title, keyframes: over('color', '#ffd166', '#06d6a0') }])),
  ...[
    ['font_size', 12, 30],
    ['font_weight', 100, 900],
    ['letter_spacing', 0, 8],
  ].map(([property, from, to]) => moving(property, movie([night, { ...title, keyframes: over(property, from, to) }]))),
  moving('line_height', movie([night, { ...title, text: 'Line\nheight', font_size: 14, keyframes: over('line_height', 0.9, 2.4) }])),
  moving('white_balance', keyed(over('white_balance', { temperature: -60 }, { temperature: 60 }), { ...photo, width: 140 })),
  moving('curves', keyed(over('curves', { master: points(0.4, 0.6) }, { master: points(0.1, 0.9) }), { ...photo, width: 140 })),
  moving(
    'chroma_key',
    movie([
      night,
      { ...{ type: 'image', ...photo, width: 160, chroma_key: { color: '#f2b27a' } }, keyframes: over('chroma_key', { tolerance: 1 }, { tolerance: 60 }) },
    ]),
  ),
  moving('corners', keyed(over('corners', shape(20, 10, 140, 80), shape(60, 20, 130, 76)), { ...photo, width: 160 })),
  moving(
    'amplitude',
    movie([night, { type: 'audiogram', opacity: 1, color: '#ffd27a', keyframes: over('amplitude', 1, 10) }, { type: 'audio', src: 'music.wav', duration: -2 }]),
  ),
  moving(
    'settings',
    movie([
      night,
      {
        ...{ ...title, font_size: 16 },
        keyframes: over(
          'settings',
          { padding: '2px 4px', 'border-radius': 0, 'background-color': '#d0006f' },
          { padding: '10px 24px', 'border-radius': 20, 'background-color': '#1b4dff' },
        ),
      },
    ]),
  ),
  moving(
    'theme',
    movie([{ type: 'component', component: 'motion/progress', duration: 4, keyframes: over('theme', { primary: '#d0006f' }, { primary: '#06d6a0' }) }]),
  ),
  moving('background_color', movie([night, { ...title, padding: '4px 10px', border_radius: 8, keyframes: over('background_color', '#d0006f', '#1b4dff') }])),
  moving('text_stroke_color', movie([night, { ...title, text_stroke: '3px #000000', keyframes: over('text_stroke_color', '#d0006f', '#1b4dff') }])),
  moving(
    'glow',
    movie([night, { ...title, keyframes: over('glow', { radius: 2, color: '#ffd166', intensity: 1 }, { radius: 24, color: '#ff3d7f', intensity: 3 }) }]),
  ),
  moving(
    'anchor',
    keyed(
      [
        { time: 0, rotation: 30, anchor: { x: 0, y: 0 } },
        { time: 3, anchor: { x: 1, y: 1 } },
      ],
      { ...photo, width: 80 },
    ),
  ),
  moving('perspective', keyed(over('perspective', '30vmax', '200vmax'), { ...photo, width: 100, rotate_y: 55 })),
  moving(
    'border_color',
    movie([night, { ...title, padding: '4px 10px', settings: { border: '3px solid white' }, keyframes: over('border_color', '#ffd166', '#06d6a0') }]),
  ),
  moving('drop_shadow', movie([{ ...card, keyframes: over('drop_shadow', { blur: 0, y: 0, color: '#ffffff' }, { blur: 16, y: 14, color: '#66ccff' }) }])),
];
