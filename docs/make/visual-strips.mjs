/** Strips of what all elements share, of scenes and of the movie itself. */
export const TILE = { width: 160, height: 90 };
const canvas = { ...TILE, fps: 25 };

export const photo = { type: 'image', src: 'mountains-dawn.jpg', resize: 'cover' };
export const dusk = { ...photo, src: 'lake-dusk.jpg' };
export const night = { ...photo, src: 'mountains-night.jpg' };
export const logo = { type: 'image', src: 'logo.png', width: 60 };
const dark = '#20283a';
export const words = { type: 'text', text: 'Hello', font_size: 26, font_weight: 700 };

export const movie = (elements, more = {}) => ({ ...canvas, scenes: [{ duration: 4, background: dark, elements }], ...more });

/** One tile for each variant, which `make` turns into elements. */
export function variants(of, list, make, { at = 0, columns = 4, under = [] } = {}) {
  return { of, columns, tiles: list.map((variant) => ({ label: labelOf(variant), script: movie([...under, make(variant)].flat()), at })) };
}

/** One script at several seconds. */
export function instants(of, script, seconds, columns = 4) {
  return { of, columns, tiles: seconds.map((at) => ({ label: `${at} s`, script, at })) };
}

export const tiles = (of, list, columns = 4) => ({ of, columns, tiles: list.map(([label, script, at = 0]) => ({ label, script, at })) });

function labelOf(variant) {
  return typeof variant === 'object' ? JSON.stringify(variant).replaceAll('"', '').slice(1, -1).replaceAll(',', ', ').replaceAll(':', ': ') : String(variant);
}

const centred = (more) => ({ ...logo, position: 'center', ...more });
const ofMovie = [
  tiles('movie.width', [
    ['160', movie([photo])],
    ['90', { ...movie([photo]), width: 90 }],
  ]),
  tiles('movie.height', [
    ['90', movie([photo])],
    ['50', { ...movie([photo]), height: 50 }],
  ]),
  tiles(
    'movie.resolution',
    ['full-hd', 'squared', 'instagram-story', 'twitter-portrait'].map((resolution) => [resolution, { resolution, scenes: movie([photo]).scenes }]),
  ),
];

const two = (transition) => ({
  ...canvas,
  scenes: [
    { duration: 1, elements: [photo] },
    { duration: 1.2, elements: [night], transition },
  ],
});

const ofScenes = [
  instants('scene.duration', { ...canvas, scenes: [photo, dusk, night].map((element, i) => ({ duration: i + 1, elements: [element] })) }, [0, 1, 3, 5]),
  tiles(
    'scene.background',
    ['#000000', '#2f6f8f', 'tomato', 'hsl(140, 40%, 40%)'].map((background) => [
      background,
      { ...canvas, scenes: [{ duration: 1, background, elements: [centred({})] }] },
    ]),
  ),
  instants('scene.transition', two({ style: 'wipeleft', duration: 1 }), [0.8, 1.2, 1.5, 1.8]),
  tiles(
    'transition.style',
    ['fade', 'circleopen', 'zoom-blur', 'film-burn', 'page-curl-left', 'glitch'].map((style) => [style, two({ style, duration: 1 }), 1.5]),
  ),
  tiles(
    'transition.src',
    [1.3, 1.5, 1.7].map((at) => [`after ${(at - 1).toFixed(1)} s`, two({ style: 'luma', src: 'mountains-dawn.jpg', duration: 1 }), at]),
  ),
  tiles(
    'transition.softness',
    [0, 0.1, 0.5, 1].map((softness) => [`${softness}`, two({ style: 'luma', src: 'mountains-dawn.jpg', softness, duration: 1 }), 1.5]),
  ),
  tiles(
    'transition.invert',
    [false, true].map((invert) => [`${invert}`, two({ style: 'luma', src: 'mountains-dawn.jpg', invert, duration: 1 }), 1.4]),
  ),
  tiles(
    'transition.direction',
    ['left', 'right', 'up', 'down'].map((direction) => [direction, two({ style: 'wipe', direction, duration: 1 }), 1.4]),
  ),
  tiles(
    'transition.easing',
    ['linear', 'easeInCubic', 'easeOutCubic', 'spring(200, 8)'].map((easing) => [
      `${easing}, after 0.3 s`,
      two({ style: 'wipeleft', duration: 1, easing }),
      1.3,
    ]),
  ),
  tiles(
    'transition.duration',
    [0.25, 0.5, 1, 2].map((duration) => [`${duration}: after 0.2 s`, two({ style: 'wipeleft', duration }), 1.2]),
  ),
];

const moments = (of, more, seconds = [0, 1, 2, 3]) => instants(of, movie([night, centred(more)]), seconds);

const ofTime = [
  moments('time.start', { start: 2 }),
  moments('time.duration', { duration: 2 }),
  moments('time.extra_time', { duration: 1, extra_time: 1.5 }),
  moments('time.fade_in', { fade_in: 3 }),
  moments('time.fade_out', { fade_out: 3, duration: 4 }, [0.5, 1.5, 2.5, 3.5]),
];

const box = { type: 'image', src: 'mountains-dawn.jpg' };
const ofPlace = [
  variants('place.position', ['top-left', 'top-right', 'center', 'bottom-right'], (position) => ({ ...logo, position })),
  variants('place.x', [0, 50, 100, '50%'], (x) => ({ ...logo, x, y: 15 })),
  variants('place.y', [0, 15, 30, '50%'], (y) => ({ ...logo, y, x: 50 })),
  variants('place.width', [40, 80, 160, '50%'], (width) => ({ ...box, width, position: 'center' })),
  variants('place.height', [20, 45, 90, '50%'], (height) => ({ ...box, height, position: 'center' })),
  variants('place.resize', ['cover', 'contain', 'none'], (resize) => ({ ...logo, width: -1, ...(resize === 'none' ? { width: 30 } : {}), resize })),
  variants('scale.height', [20, 45, 90], (height) => ({ ...box, scale: { height }, position: 'center' })),
  variants('place.z_index', [-1, 0, 1], (z_index) => [
    { ...box, width: 90, x: 10, y: 10, z_index },
    { ...dusk, resize: 'none', width: 90, x: 60, y: 28 },
  ]),
  variants('crop.x', [0, 480, 960], (x) => ({ ...box, width: 150, position: 'center', crop: { x, y: 200, width: 960, height: 540 } })),
  variants('crop.y', [0, 270, 540], (y) => ({ ...box, width: 150, position: 'center', crop: { x: 480, y, width: 960, height: 540 } })),
  variants('crop.width', [480, 960, 1920], (width) => ({ ...box, height: 70, position: 'center', crop: { width, height: 1080 } })),
  variants('crop.height', [270, 540, 1080], (height) => ({ ...box, width: 140, position: 'center', crop: { width: 1920, height } })),
];

const title = { type: 'text', text: 'Motion design', font_size: 18, font_weight: 700 };
const animated = (animate, more = {}) => movie([{ ...title, duration: 3, animate, ...more }]);
const types = ['fade', 'slide', 'rise', 'scale', 'pop', 'blur', 'mask-reveal', 'typewriter', 'flip', 'spin', 'scramble', 'draw-on'];
const marker = (color) => ({ in: { type: 'highlight', color } });
const loops = ['wave', 'pulse', 'float', 'sway', 'spin', 'blink'];
/** Moments side by side for each variant. */
const moved = (of, list, seconds, make, columns = 3) =>
  tiles(
    of,
    list.flatMap((variant) => seconds.map((at) => [`${labelOf(variant)}, ${at} s`, make(variant), at])),
    columns,
  );
const ofAnimation = [
  moved('entrance.type', types, [0.24, 2.84], (type) => animated({ in: type, out: type }), 4),
  moved('entrance.by', ['element', 'line', 'word', 'letter'], [0.16, 0.32, 0.56], (by) =>
    animated({ in: { type: 'rise', by } }, { width: 110, position: 'center' }),
  ),
  moved('entrance.stagger', [0, 0.1, 0.3], [0.2, 0.4, 0.6], (stagger) => animated({ in: { type: 'rise', by: 'word', stagger } })),
  moved('entrance.easing', ['easeOutCubic', 'easeOutBack', 'spring(200, 8)', 'cubic-bezier(0.9, 0, 0.1, 1)'], [0.2, 0.4, 0.6], (easing) =>
    animated({ in: { type: 'slide', easing } }),
  ),
  moved('entrance.direction', ['up', 'down', 'left', 'right'], [0.12, 0.24, 0.48], (direction) =>
    animated({ in: { type: 'mask-reveal', by: 'word', direction } }),
  ),
  moved('entrance.amount', [0, 0.6, 2], [0.08, 0.2, 0.4], (amount) => animated({ in: { type: 'scale', amount } })),
  moved('entrance.color', ['#f2b705', '#d0006f'], [0.2, 0.3, 0.6], (color) => animated(marker(color))),
  moved('loop.type', loops, [0.4, 0.8, 1.2], (type) => animated({ loop: { type, duration: 1.6, ...(type === 'pulse' ? { amount: 0.2 } : {}) } })),
];

const turning = (rotate) => movie([{ type: 'image', src: 'mountains-dawn.jpg', width: 80, position: 'center', rotate }]);
export const keyed = (keyframes, more = {}) => movie([night, centred({ keyframes, ...more })]);
const rushing = (motion_blur) =>
  keyed(
    [
      { time: 0, x: -70, rotation: -120 },
      { time: 0.4, x: 70, rotation: 120 },
    ],
    { src: 'mountains-dawn.jpg', width: 80, motion_blur },
  );
const ofMotion = [
  tiles(
    'motion.motion_blur',
    [0, 0.5, 1].map((shutter) => [`${shutter}, at 0.2 s`, rushing(shutter), 0.2]),
    3,
  ),
  instants('motion.zoom', movie([{ ...photo, zoom: 6 }]), [0, 1.3, 2.6, 3.9]),
  instants('motion.pan', movie([{ ...photo, pan: 'right', 'pan-distance': 0.3 }]), [0, 1.3, 2.6, 3.9]),
  tiles(
    'motion.pan_distance',
    [0.1, 0.25, 0.5].map((distance) => [`${distance}, at the end`, movie([{ ...photo, pan: 'right', 'pan-distance': distance }]), 3.9]),
  ),
  tiles(
    'motion.pan_crop',
    [true, false].map((crop) => [String(crop), movie([{ ...photo, pan: 'right', 'pan-distance': 0.3, 'pan-crop': crop }]), 3.9]),
  ),
  tiles(
    'rotate.angle',
    [0, 30, 90, -45].map((angle) => [String(angle), turning({ angle })]),
  ),
  instants('rotate.speed', turning({ angle: 360, speed: 4 }), [0, 0.5, 1, 2.5]),
  ...['x', 'y'].map((axis) =>
    variants(`motion.skew_${axis}`, [-20, 0, 20], (degrees) => ({ ...box, width: 100, position: 'center', [`skew_${axis}`]: degrees })),
  ),
  variants('motion.flip_horizontal', [false, true], (flip_horizontal) => ({ ...words, flip_horizontal })),
  variants('motion.flip_vertical', [false, true], (flip_vertical) => ({ ...words, flip_vertical })),
  instants(
    'motion.keyframes',
    keyed([
      { time: 0, x: -60, rotation: -180, opacity: 0 },
      { time: 2, x: 0, rotation: 0, opacity: 1, scale: 1 },
      { time: '100%', x: 50, scale: 0.5 },
    ]),
    [0.8, 1.4, 2, 3.6],
  ),
];

const corrected = (name, list) => variants(`correction.${name}`, list, (value) => ({ ...photo, correction: { [name]: value } }));
const curved = (name, label, [quarter, threeQuarters]) =>
  tiles(`curves.${name}`, [
    ['none', movie([photo])],
    [
      label,
      movie([
        {
          ...photo,
          curves: {
            [name]: [
              [0, 0],
              [0.25, quarter],
              [0.75, threeQuarters],
              [1, 1],
            ],
          },
        },
      ]),
    ],
  ]);
const keyedOut = (key) => [night, { ...photo, 'chroma-key': key }];
const ofPixels = [
  variants('pixels.opacity', [1, 0.6, 0.3, 0], (opacity) => [dusk, centred({ opacity })]),
  tiles('pixels.mask', [
    ['none', movie([night, { ...photo }])],
    ['an image, visible where it is light', movie([dusk, { ...photo, mask: 'mountains-night.jpg' }])],
    ['a logo', movie([dusk, { ...photo, mask: 'logo.png' }])],
  ]),
  variants('chroma_key.color', ['#f2b27a', '#5a6f8c'], (color) => keyedOut({ color, tolerance: 30 })),
  variants('chroma_key.tolerance', [1, 15, 30, 60], (tolerance) => keyedOut({ color: '#f2b27a', tolerance })),
  variants('chroma_key.softness', [0, 0.5, 1], (softness) => keyedOut({ color: '#f2b27a', tolerance: 30, softness })),
  variants('chroma_key.despill', [0, 0.5, 1], (despill) => keyedOut({ color: '#f2b27a', tolerance: 30, despill })),
  variants('chroma_key.choke', [0, 0.3, 0.6], (choke) => keyedOut({ color: '#f2b27a', tolerance: 30, choke })),
  variants('chroma_key.view', ['result', 'matte', 'spill'], (view) => keyedOut({ color: '#f2b27a', tolerance: 30, view })),
  corrected('brightness', [-0.3, 0, 0.3]),
  corrected('contrast', [0.5, 1, 1.8]),
  corrected('gamma', [0.5, 1, 2]),
  corrected('saturation', [0, 1, 2.5]),
  variants('white_balance.temperature', [-60, 0, 60], (temperature) => ({ ...photo, white_balance: { temperature } })),
  variants('white_balance.tint', [-60, 0, 60], (tint) => ({ ...photo, white_balance: { tint } })),
  curved('master', 'more contrast', [0.15, 0.85]),
  curved('red', 'more', [0.4, 0.85]),
  curved('green', 'more', [0.4, 0.85]),
  curved('blue', 'less', [0.1, 0.6]),
  variants('pixels.blend_mode', ['normal', 'multiply', 'screen', 'difference'], (blend_mode) => [photo, { ...dusk, blend_mode }]),
  variants('pixels.corner_radius', [0, 12, '50%'], (corner_radius) => ({ ...box, width: 110, position: 'center', corner_radius })),
  variants('pixels.sharpen', [0, 0.5, 1], (sharpen) => ({ ...photo, sharpen })),
  variants('vignette.amount', [0, 0.5, 1], (amount) => ({ ...photo, vignette: { amount } })),
  variants('vignette.size', [0, 0.4, 0.7], (size) => ({ ...photo, vignette: { amount: 0.9, size } })),
  variants('vignette.softness', [0.1, 0.4, 1], (softness) => ({ ...photo, vignette: { amount: 0.9, softness } })),
  variants('pixels.grain', [0, 0.3, 1], (grain) => ({ ...photo, grain })),
  variants('pixels.blur', [0, 1.5, 4], (blur) => ({ ...photo, blur })),
];

const atAnchor = (anchor) => movie([night, { ...box, width: 90, position: 'center', rotate: { angle: 25 }, anchor }]);
const ofAnchor = [
  tiles(
    'motion.anchor',
    ['center', 'top-left', 'bottom-center', 'center-right'].map((anchor) => [anchor, atAnchor(anchor)]),
  ),
  tiles(
    'anchor.x',
    [0, 0.5, 1].map((x) => [String(x), atAnchor({ x })]),
  ),
  tiles(
    'anchor.y',
    [0, 0.5, 1].map((y) => [String(y), atAnchor({ y })]),
  ),
];

const card = { ...box, width: 110, position: 'center', corner_radius: 6 };
const onPaper = (more) => ({ ...canvas, scenes: [{ duration: 4, background: '#e9ecf2', elements: [{ ...card, ...more }] }] });
const atNight = (more) => ({ ...canvas, scenes: [{ duration: 4, background: '#10141f', elements: [{ ...card, ...more }] }] });
const ofDepth = [
  tiles('depth.glow', [
    ['none', atNight({})],
    ['true', atNight({ glow: true })],
    ['intensity 2', atNight({ glow: { color: '#00e5ff', radius: 12, intensity: 2 } })],
    ['with a shadow', onPaper({ glow: { color: '#ff7a00', radius: 16 }, drop_shadow: { blur: 8, x: 10, y: 14 } })],
  ]),
  ...[
    ['color', ['#ffd166', '#ff3d7f', '#00e5ff'], { radius: 12, intensity: 2 }],
    ['radius', [4, 12, 36], { color: '#00e5ff', intensity: 2 }],
    ['intensity', [0.5, 1, 2, 4], { color: '#00e5ff', radius: 12 }],
  ].map(([name, values, rest]) =>
    tiles(
      `glow.${name}`,
      values.map((value) => [String(value), atNight({ glow: { ...rest, [name]: value } })]),
    ),
  ),
  tiles('depth.drop_shadow', [
    ['none', onPaper({})],
    ['true', onPaper({ drop_shadow: true })],
    [
      'two shadows',
      onPaper({
        drop_shadow: [
          { color: '#0a143c80', blur: 4, y: 3 },
          { color: '#0a143c60', blur: 16, x: 10, y: 14 },
        ],
      }),
    ],
  ]),
  ...['x', 'y'].map((axis) =>
    tiles(
      `depth.rotate_${axis}`,
      [-40, 0, 40, 70].map((angle) => [String(angle), onPaper({ [`rotate_${axis}`]: angle, drop_shadow: true })]),
    ),
  ),
  tiles('depth.corners', [
    ['none', onPaper({})],
    [
      'four points',
      onPaper({
        corners: [
          [24, 10],
          [140, 24],
          [132, 70],
          [34, 84],
        ],
      }),
    ],
  ]),
  tiles(
    'depth.perspective',
    ['40vmax', '100vmax', '400vmax'].map((perspective) => [perspective, onPaper({ rotate_y: 45, perspective, drop_shadow: true })]),
  ),
];

const clip = { type: 'video', src: 'aurora.mp4', resize: 'cover' };
const ofMedia = [
  tiles('image.src', [
    ['mountains-dawn.jpg', movie([photo])],
    ['logo.png', movie([{ type: 'image', src: 'logo.png', resize: 'contain' }])],
  ]),
  instants('video.src', movie([clip]), [0, 1, 2, 3]),
  tiles(
    'sound.seek',
    [0, 1, 2].map((seek) => [String(seek), movie([{ ...clip, seek }])]),
  ),
  tiles(
    'sound.loop',
    [1, -1].map((loop) => [`${loop}, after its end`, movie([{ ...clip, seek: -1, loop, duration: -2 }]), 2]),
  ),
];

export const visualStrips = [...ofMovie, ...ofScenes, ...ofTime, ...ofPlace, ...ofMotion, ...ofAnimation, ...ofPixels, ...ofAnchor, ...ofDepth, ...ofMedia];
