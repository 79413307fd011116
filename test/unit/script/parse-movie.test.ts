import { describe, expect, test } from 'vitest';
import { type ImageElement, parseMovie, speechKey, type TextElement, type VideoElement } from '../../../src/script/index.js';

const SRC = 'https://example.com/a';

function element<T>(raw: object, canvas: object = {}): T {
  const parsed = parseMovie({ ...canvas, scenes: [{ elements: [raw] }] }).scenes[0]?.elements[0];
  if (parsed === undefined) throw new Error('no element');
  return parsed as T;
}

const text = (more: object = {}, canvas?: object): TextElement => element({ type: 'text', text: 'Hi', ...more }, canvas);
const styled = (settings: object): TextElement['typography'] => text({ settings }).typography;
const image = (more: object = {}): ImageElement => element({ type: 'image', src: SRC, ...more });
const video = (more: object = {}): VideoElement => element({ type: 'video', src: SRC, ...more });

describe('deinterlacing', () => {
  test('is automatic unless a video element says on or off', () => {
    expect(video().deinterlace).toBe('auto');
    expect(video({ deinterlace: 'off' }).deinterlace).toBe('off');
    expect(video({ deinterlace: 'on' }).deinterlace).toBe('on');
    expect(() => video({ deinterlace: 'bob' })).toThrow(/deinterlace/);
    expect(() => image({ deinterlace: 'on' })).toThrow(/deinterlace/);
  });
});

describe('the movie', () => {
  test('has the defaults of the contract', () => {
    expect(parseMovie({ scenes: [{}] })).toEqual({
      width: 1920,
      height: 1080,
      fps: { num: 30, den: 1 },
      codec: 'h264',
      quality: 'high',
      outputs: [],
      scenes: [{ path: 'scenes.0', duration: 'auto', background: { r: 0, g: 0, b: 0, a: 255 }, elements: [] }],
      elements: [],
      exports: [],
    });
  });

  test.each([
    [{ width: 101, height: 55 }, 102, 56],
    [{ resolution: 'instagram-story' }, 1080, 1920],
    [{ resolution: 'sd', width: 1000, height: 1000 }, 640, 360],
    [{ resolution: 'custom', width: 500, height: 400 }, 500, 400],
    [{ resolution: null, width: 500 }, 500, 1080],
  ])('%o is %i×%i', (script, width, height) => {
    expect(parseMovie({ ...script, scenes: [{}] })).toMatchObject({ width, height });
  });

  test.each([
    [25, 25, 1],
    [29.97, 30000, 1001],
    [23.976, 24000, 1001],
    [23.98, 24000, 1001],
    [59.94, 60000, 1001],
    [59.94005994, 60000, 1001],
    [12.5, 25, 2],
    [1, 1, 1],
    [14.985, 2997, 200],
  ])('%f fps are %i/%i', (fps, num, den) => {
    expect(parseMovie({ fps, scenes: [{}] }).fps).toEqual({ num, den });
  });

  test('keeps webhook and exports, and ignores what is said to be ignored', () => {
    const script = {
      webhook_uri: 'HTTPS://example.com/hook',
      exports: [{ type: 's3', bucket: 'b' }, { destinations: [] }],
      comment: 'x',
      id: 'm',
      'client-data': { a: { b: [1] } },
      _thumbnail: 5,
      __proto: 1,
      draft: false,
      cache: true,
      settings: {},
      scenes: [{ comment: 'x', id: 7, _note: null, cache: false, elements: [{ type: 'text', text: 'x', _x: 1, comment: {}, 'client-data': 1 }] }],
    };
    const movie = parseMovie(script);
    expect(movie.webhookUri).toBe('HTTPS://example.com/hook');
    expect(movie.exports).toEqual(script.exports);
  });

  test('a JSON key __proto__ changes nothing', () => {
    const movie = parseMovie(JSON.parse('{"scenes":[{"__proto__":{"duration":7}}],"__proto__":{"width":5}}'));
    expect(movie.width).toBe(1920);
    expect(movie.scenes[0]?.duration).toBe('auto');
  });
});

describe('scenes', () => {
  test.each<[object, number | 'auto']>([
    [{ duration: 2.5 }, 2.5],
    [{ duration: -1 }, 'auto'],
    [{ duration: 'auto' }, 'auto'],
  ])('%o lasts %s', (scene, duration) => {
    expect(parseMovie({ scenes: [scene] }).scenes[0]?.duration).toBe(duration);
  });

  test.each<[object, object | undefined]>([
    [{ transition: { style: 'wipeleft', duration: 0.5 } }, { style: 'wipeleft', duration: 0.5 }],
    [{ transition: { type: 'slideup', duration: '0.5' } }, { style: 'slideup', duration: 0.5 }],
    [{ transition: { style: 'hrwind' } }, { style: 'hrwind', duration: 1 }],
    [{ transition: { style: 'cross-dissolve' } }, { style: 'fade', duration: 1 }],
    [{ transition: { type: 'zoom' } }, { style: 'zoomin', duration: 1 }],
    [{ transition: { style: 'slide', direction: 'up' } }, { style: 'slideup', duration: 1 }],
    [{ transition: { type: 'slide' } }, { style: 'slideleft', duration: 1 }],
    [{ transition: { style: 'push' } }, { style: 'push-left', duration: 1, easing: 'easeInOutCubic' }],
    [{ transition: { style: 'whip-pan', direction: 'up', easing: 'linear' } }, { style: 'whip-pan-up', duration: 1 }],
    [{ transition: { style: 'zoom-blur', easing: 'easeInQuad' } }, { style: 'zoom-blur', duration: 1, easing: 'easeInQuad' }],
    [{ transition: { style: 'whip-pan-down' } }, { style: 'whip-pan-down', duration: 1, easing: 'easeInOutCubic' }],
    [{ transition: { style: 'page-curl', direction: 'down', easing: 'linear' } }, { style: 'page-curl-down', duration: 1 }],
    [{ transition: { style: 'light-leak' } }, { style: 'light-leak', duration: 1 }],
    [{ transition: { style: 'light-leak', direction: 'up' } }, { style: 'light-leak-up', duration: 1 }],
    [
      { transition: { style: 'luma', src: 'https://example.com/w.png' } },
      { style: 'luma', duration: 1, luma: { src: 'https://example.com/w.png', softness: 0.1, invert: false } },
    ],
    [
      { transition: { style: 'luma', src: 'https://example.com/w.png', softness: 0.4, invert: true } },
      { style: 'luma', duration: 1, luma: { src: 'https://example.com/w.png', softness: 0.4, invert: true } },
    ],
    [{ transition: { style: 'film-burn' } }, { style: 'film-burn', duration: 1 }],
    [{ transition: { style: 'cover', direction: 'down' } }, { style: 'coverdown', duration: 1 }],
    [{ transition: { style: 'slideright', direction: 'right' } }, { style: 'slideright', duration: 1 }],
    [{ transition: { style: 'fade', direction: null } }, { style: 'fade', duration: 1 }],
    [{ transition: {} }, { style: 'fade', duration: 1 }],
    [{ transition: { duration: 0 } }, undefined],
    [{ transition: null }, undefined],
  ])('%o', (scene, transition) => {
    expect(parseMovie({ scenes: [scene] }).scenes[0]?.transition).toEqual(transition);
  });

  test('background wins over background-color', () => {
    const [scene] = parseMovie({ scenes: [{ 'background-color': 'red', background: '#00f' }] }).scenes;
    expect(scene?.background).toEqual({ r: 0, g: 0, b: 255, a: 255 });
  });
});

describe('colours', () => {
  test.each<[string, [number, number, number, number]]>([
    ['#1a2b3c', [26, 43, 60, 255]],
    ['#ABC', [170, 187, 204, 255]],
    ['#abc8', [170, 187, 204, 136]],
    ['#11223344', [17, 34, 51, 68]],
    [' Coral ', [255, 127, 80, 255]],
    ['transparent', [0, 0, 0, 0]],
    ['rgb(1, 2, 3)', [1, 2, 3, 255]],
    ['rgba(1,2,3,.5)', [1, 2, 3, 128]],
    ['rgb(300, -5, 3)', [255, 0, 3, 255]],
    ['rgb(100% 0% 50% / 25%)', [255, 0, 128, 64]],
    ['hsl(120, 100%, 50%)', [0, 255, 0, 255]],
    ['hsla(-120deg, 100%, 50%, 0.5)', [0, 0, 255, 128]],
  ])('%s', (background, [r, g, b, a]) => {
    expect(parseMovie({ scenes: [{ background }] }).scenes[0]?.background).toEqual({ r, g, b, a });
  });
});

test('truth values in strings count where the script is of the service that writes it so', () => {
  const clip = { type: 'video', src: 'http://example.com/a.mp4', muted: 'true', flip_horizontal: 'FALSE' };
  const parse = (more: object) => parseMovie({ scenes: [{ duration: 1, elements: [{ ...clip, ...more }] }] }).scenes[0]?.elements[0];
  expect(parse({ 'pan-crop': 'false' })).toMatchObject({ muted: true, flipHorizontal: false, panCrop: false });
  expect(() => parse({})).toThrow(/must be a boolean, not the string/);
  expect(() => parse({ 'pan-crop': 'yes' })).toThrow(/pan-crop must be a boolean/);
});

test('numbers in strings count where the script is of the service that writes it so', () => {
  const sizes = { width: '1080', height: '1920' };
  const subtitled = { ...sizes, scenes: [{ elements: [{ type: 'subtitles', settings: { 'font-size': '80' } }] }] };
  expect(parseMovie(subtitled)).toMatchObject({ width: 1080, height: 1920 });
  const image = { type: 'image', src: SRC, 'fade-in': 1, opacity: '0.5' };
  expect(parseMovie({ fps: '25', scenes: [{ duration: '1.5', elements: [image] }], elements: [image] })).toMatchObject({
    fps: { num: 25, den: 1 },
    scenes: [{ duration: 1.5, elements: [{ opacity: 0.5 }] }],
    elements: [{ opacity: 0.5 }],
  });
  expect(() => parseMovie({ ...sizes, scenes: [{ elements: [], 'background-color': 'red' }] })).toThrow(/^width must be an integer/);
  const other = { type: 'image', src: SRC, opacity: '0.5' };
  expect(() => parseMovie({ scenes: [{ elements: [image, other] }] })).toThrow(/^opacity must be a number/);
  expect(() => parseMovie({ fps: '25 frames', scenes: [{ elements: [image] }] })).toThrow(/^fps must be a number/);
  expect(() => parseMovie({ ...sizes, scenes: [{ duration: 5, elements: [{ type: 'text', text: 'x' }] }] })).toThrow(/^width must be an integer/);
  expect(() => parseMovie({ ...subtitled, width: 'wide' })).toThrow(/^width must be an integer/);
});

test('a line break of a text is none of the words of a voice', () => {
  const [voice] = parseMovie({ scenes: [{ elements: [{ type: 'voice', text: 'One.<br>Two<BR />three' }] }] }).scenes[0]?.elements ?? [];
  expect(voice).toMatchObject({ text: 'One.\nTwo\nthree' });
  const said = { model: 'azure', speed: 1 };
  expect(speechKey({ ...said, text: 'One.<br>Two' })).toBe(speechKey({ ...said, text: 'One.\nTwo' }));
});

test('texts of digits count that a spreadsheet made numbers of, in scripts of that service', () => {
  const parse = (element: object) => parseMovie({ scenes: [{ duration: 1, elements: [element] }] }).scenes[0]?.elements[0];
  expect(parse({ type: 'text', text: 2026, style: 3, 'fade-in': 1 })).toMatchObject({ text: '2026', style: '003' });
  expect(parse({ type: 'voice', text: -1.5 })).toMatchObject({ text: '-1.5' });
  expect(() => parse({ type: 'text', text: 2026 })).toThrow(/^text must be a string/);
  expect(() => parse({ type: 'text', text: 'x', style: '99', 'fade-in': 1 })).toThrow(/^style must be one of/);
  // What no text can be made of.
  expect(() => parse({ type: 'text', text: 'x', style: { toString: 3 }, 'fade-in': 1 })).toThrow(/^style must be one of/);
});

describe('elements', () => {
  test('the settings of a page are CSS in any spelling', () => {
    const settings = { 'font-size': '20px', background_color: 'red', textAlign: 'right', WebkitTextStroke: '1px red', '--my-own': 1 };
    expect(parseMovie({ scenes: [{ elements: [{ type: 'html', html: 'x', settings }] }] }).scenes[0]?.elements[0]).toMatchObject({
      css: { 'font-size': '20px', 'background-color': 'red', 'text-align': 'right', '-webkit-text-stroke': '1px red', '--my-own': '1' },
    });
  });

  test('an image without anything sits at 0, 0 in natural size', () => {
    expect(image()).toEqual({
      type: 'image',
      path: 'scenes.0.elements.0',
      src: SRC,
      start: 0,
      duration: 'natural',
      extraTime: 0,
      fadeIn: 0,
      fadeOut: 0,
      zIndex: 0,
      position: 'custom',
      x: 0,
      y: 0,
      width: -1,
      height: -1,
      resize: 'none',
      opacity: 1,
      zoom: 0,
      panDistance: 0.1,
      panCrop: true,
      flipHorizontal: false,
      flipVertical: false,
      keyframes: [],
      blendMode: 'normal',
      cornerRadius: 0,
      blur: 0,
      sharpen: 0,
      grain: 0,
      skewX: 0,
      skewY: 0,
      rotateX: 0,
      rotateY: 0,
      perspective: 1920,
      motionBlur: 0,
    });
  });

  const full = {
    start: 1,
    'extra-time': 0.5,
    'fade-in': 0.25,
    'fade-out': 0.75,
    'z-index': -3,
    'pan-distance': 0.2,
    'pan-crop': false,
    'flip-horizontal': true,
    'flip-vertical': true,
  };
  const fullParsed = {
    start: 1,
    extraTime: 0.5,
    fadeIn: 0.25,
    fadeOut: 0.75,
    zIndex: -3,
    panDistance: 0.2,
    panCrop: false,
    flipHorizontal: true,
    flipVertical: true,
  };

  test('both spellings mean the same, and strings of numbers are numbers', () => {
    const underscored = Object.fromEntries(Object.entries(full).map(([key, value]) => [key.replaceAll('-', '_'), value]));
    const strings = Object.fromEntries(Object.entries(full).map(([key, value]) => [key, typeof value === 'number' ? ` ${value} ` : value]));
    for (const more of [full, underscored, strings]) expect(image(more)).toMatchObject(fullParsed);
    expect(image({ fade_in: 1, 'fade-in': 2 }).fadeIn).toBe(1);
  });

  test('null is absent', () => {
    const nothing = {
      x: null,
      y: null,
      width: null,
      height: null,
      pan: null,
      zoom: null,
      rotate: null,
      crop: null,
      scale: null,
      resize: null,
      start: null,
      duration: null,
      position: null,
    };
    expect(image(nothing)).toEqual(image());
  });

  test.each<[object, object]>([
    [{ duration: -1 }, { duration: 'natural' }],
    [{ duration: -2 }, { duration: 'container' }],
    [{ duration: '3.5' }, { duration: 3.5 }],
    [{ start: -1 }, { start: -1 }],
    [
      { resize: 'fill', width: 50 },
      { resize: 'cover', width: -1 },
    ],
    [{ resize: 'fit' }, { resize: 'contain' }],
    [
      { width: '50%', height: '25vh', x: '10vw', y: '1em' },
      { width: 960, height: 270, x: 192, y: 76.8 },
    ],
    [{ width: '640' }, { width: 640, height: -1 }],
    [{ width: 0 }, { width: -1 }],
    [{ scale: { width: 300, height: 200 } }, { width: 300, height: 200 }],
    [
      { scale: { width: 300 }, width: 400 },
      { width: 400, height: -1 },
    ],
    [{ rotate: { angle: '45' } }, { rotate: { angle: 45, speed: 0 } }],
    [{ crop: { width: 10, height: '20', x: 5 } }, { crop: { x: 5, y: 0, width: 10, height: 20 } }],
    [
      { zoom: -3, pan: 'top-left' },
      { zoom: -3, pan: 'top-left' },
    ],
    [{ id: 'logo' }, { id: 'logo' }],
  ])('%o', (more, parsed) => {
    expect(image(more)).toMatchObject(parsed);
  });

  test.each([
    ['center', 'center-center'],
    ['top', 'top-center'],
    ['bottom', 'bottom-center'],
    ['left', 'center-left'],
    ['right', 'center-right'],
    ['center-bottom', 'bottom-center'],
    ['bottom-center', 'bottom-center'],
    ['left-top', 'top-left'],
    ['right-center', 'center-right'],
    ['custom', 'custom'],
  ])('position %s is %s', (given, position) => {
    expect(image({ position: given }).position).toBe(position);
  });

  test('sound', () => {
    expect(video()).toMatchObject({ volume: 1, muted: false, seek: 0, loop: 1 });
    expect(video({ volume: '0.2', muted: true, seek: -3, loop: -1 })).toMatchObject({ volume: 0.2, muted: true, seek: -3, loop: -1 });
    expect([true, false, 0, '2'].map((loop) => video({ loop }).loop)).toEqual([-1, 1, 1, 2]);
    const band = { type: 'high_pass', frequency: '80' };
    expect(video({ balance: '-0.5', pitch: 3, equalizer: [band] })).toMatchObject({
      ...{ balance: -0.5, pitch: 3 },
      equalizer: [{ type: 'high_pass', frequency: 80, gain: 0, q: 0.71 }],
    });
    const usual = { threshold: -24, ratio: 3, attack: 0.005, release: 0.15, knee: 6, makeup: 8 };
    expect(video({ compressor: true })).toMatchObject({ compressor: usual });
    expect(video({ compressor: { threshold: '-12', ratio: 4, makeup: ' auto ' } })).toMatchObject({
      compressor: { ...usual, threshold: -12, ratio: 4, makeup: 4.5 },
    });
    expect(video({ compressor: { makeup: '3' } })).toMatchObject({ compressor: { ...usual, makeup: 3 } });
    for (const compressor of [false, null, { ratio: 1 }]) expect(video({ compressor })).not.toHaveProperty('compressor');
    const room = { size: 0.25, decay: 0.5, wet: 0.2, preDelay: 0.005, damping: 0.5 };
    for (const reverb of [true, 'room', {}, { preset: 'room' }]) expect(video({ reverb })).toMatchObject({ reverb: room });
    expect(video({ reverb: 'hall' })).toMatchObject({ reverb: { decay: 2.2 } });
    expect(video({ reverb: { preset: 'plate', decay: '2', 'pre-delay': 0.1 } })).toMatchObject({
      reverb: { size: 0.4, decay: 2, wet: 0.2, preDelay: 0.1, damping: 0.1 },
    });
    expect([true, 10, '7'].map((denoise) => video({ denoise }))).toMatchObject([{ denoise: 15 }, { denoise: 10 }, { denoise: 7 }]);
    for (const denoise of [false, null, 0]) expect(video({ denoise })).not.toHaveProperty('denoise');
    for (const reverb of [false, null, { wet: 0 }]) expect(video({ reverb })).not.toHaveProperty('reverb');
    expect(video({ limiter: true })).toMatchObject({ limiter: { ceiling: -1, gain: 0 } });
    expect(video({ limiter: { gain: '6' } })).toMatchObject({ limiter: { ceiling: -1, gain: 6 } });
    const audio = element<object>({ type: 'audio', src: SRC, limiter: false, compressor: false, fade_out: 2, balance: 0, pitch: null, equalizer: [] });
    expect(audio).toEqual({
      type: 'audio',
      path: 'scenes.0.elements.0',
      src: SRC,
      start: 0,
      duration: 'natural',
      extraTime: 0,
      fadeIn: 0,
      fadeOut: 2,
      volume: 1,
      muted: false,
      seek: 0,
      loop: 1,
      speed: 1,
      reverse: false,
      keepPitch: true,
      keyframes: [],
    });
  });
});

describe('text', () => {
  test('has the defaults of its style', () => {
    expect(text()).toMatchObject({ style: '001', duration: 'container', position: 'custom', width: -1, height: -1 });
    expect(text().typography).toEqual({
      fontFamilies: ['Inter'],
      fontSize: 76.8,
      fontWeight: 400,
      fontStyle: 'normal',
      color: { r: 255, g: 255, b: 255, a: 255 },
      backgroundColor: { r: 0, g: 0, b: 0, a: 0 },
      textAlign: 'center',
      lineHeight: 1.2,
      letterSpacing: 0,
      textDecoration: { underline: false, lineThrough: false, overline: false },
      textTransform: 'none',
      shadows: [{ x: 2, y: 2, blur: 0, color: { r: 33, g: 33, b: 33, a: 128 } }],
      padding: { top: 0, right: 0, bottom: 0, left: 0 },
      borderRadius: 0,
      horizontalPosition: 'center',
      verticalPosition: 'center',
    });
    expect(text({ style: '003' }).typography.fontFamilies).toEqual(['Roboto']);
  });

  test('breaks its lines at <br>, the one tag that is read', () => {
    const written = { type: 'text', text: 'A<br>B<BR />C <b>D</b>' };
    expect(parseMovie({ scenes: [{ elements: [written] }] }).scenes[0]?.elements[0]).toMatchObject({ text: 'A\nB\nC <b>D</b>' });
  });

  test('placeholders stay as written', () => {
    expect(text({ text: 'Hello {{name}}' }).text).toBe('Hello {{name}}');
  });

  test('the contract’s names on the element', () => {
    const { typography, opacity } = text({
      font: 'Anton, "Noto Sans"',
      font_size: 64,
      color: '#ff0000',
      'background-color': '#00000080',
      font_weight: 'bold',
      font_style: 'italic',
      text_align: 'right',
      line_height: 1.5,
      letter_spacing: 2,
      text_decoration: 'underline line-through',
      opacity: 0.5,
    });
    expect(typography).toMatchObject({
      fontFamilies: ['Anton', 'Noto Sans'],
      fontSize: 64,
      color: { r: 255, g: 0, b: 0, a: 255 },
      backgroundColor: { r: 0, g: 0, b: 0, a: 128 },
      fontWeight: 700,
      fontStyle: 'italic',
      textAlign: 'right',
      lineHeight: 1.5,
      letterSpacing: 2,
      textDecoration: { underline: true, lineThrough: true, overline: false },
    });
    expect(opacity).toBe(0.5);
  });

  test('the element wins over its settings, and settings over defaults', () => {
    const { typography, opacity } = text({ color: '#f00', settings: { color: '#0f0', 'font-size': '10vw', opacity: 0.25, comment: 'x' } });
    expect(typography.color).toEqual({ r: 255, g: 0, b: 0, a: 255 });
    expect(typography.fontSize).toBe(192);
    expect(opacity).toBe(0.25);
  });

  test.each<[object, object]>([
    [{ 'font-size': '64px' }, { fontSize: 64 }],
    [{ 'font-size': '64' }, { fontSize: 64 }],
    [{ 'font-size': '50%' }, { fontSize: 38.4 }],
    [{ 'font-size': '2em' }, { fontSize: 153.6 }],
    [{ 'font-size': '10vh' }, { fontSize: 108 }],
    [{ 'font-size': '30pt' }, { fontSize: 40 }],
    [{ 'font-size': '100px', 'letter-spacing': '0.1em' }, { letterSpacing: 10 }],
    [{ 'letter-spacing': 'normal' }, { letterSpacing: 0 }],
    [{ 'font-size': '100px', 'line-height': '12vw' }, { lineHeight: 2.304 }],
    [{ 'line-height': '150%' }, { lineHeight: 1.5 }],
    [{ 'line-height': 'normal' }, { lineHeight: 1.2 }],
    [{ 'line-height': '1.4' }, { lineHeight: 1.4 }],
    [{ 'font-weight': '300' }, { fontWeight: 300 }],
    [{ 'font-weight': 950 }, { fontWeight: 900 }],
    [{ 'font-style': 'oblique' }, { fontStyle: 'italic' }],
    [{ 'text-align': 'end' }, { textAlign: 'right' }],
    [{ 'text-transform': 'uppercase' }, { textTransform: 'uppercase' }],
    [{ 'text-decoration': 'none' }, { textDecoration: { underline: false, lineThrough: false, overline: false } }],
    [{ 'text-shadow': 'none' }, { shadows: [] }],
    [
      { 'text-shadow': 'rgba(0, 0, 0, 0.5) 1px 2px 3px, 4px 5px' },
      {
        shadows: [
          { x: 1, y: 2, blur: 3, color: { r: 0, g: 0, b: 0, a: 128 } },
          { x: 4, y: 5, blur: 0, color: { r: 0, g: 0, b: 0, a: 255 } },
        ],
      },
    ],
    [{ shadow: 2 }, { shadows: [{ x: 2, y: 2, blur: 2, color: { r: 0, g: 0, b: 0, a: 128 } }] }],
    [{ shadow: '0' }, { shadows: [] }],
    [{ '-webkit-text-stroke': '2px red' }, { stroke: { width: 2, color: { r: 255, g: 0, b: 0, a: 255 } } }],
    [{ padding: '1px 2px 3px' }, { padding: { top: 1, right: 2, bottom: 3, left: 2 } }],
    [{ padding: 10, 'padding-left': '1vw' }, { padding: { top: 10, right: 10, bottom: 10, left: 19.2 } }],
    [{ margin: '-1px 2%', margin_left: 5 }, { margin: { top: -1, right: 38.4, bottom: -1, left: 5 } }],
    [{ width: '50%' }, { blockWidth: 960 }],
    [{ width: '300px' }, { blockWidth: 300 }],
    [{ 'word-break': 'break-all' }, { wordBreak: 'break-all' }],
    [{ 'overflow-wrap': 'normal' }, { keepLongWords: true }],
    [
      { hyphens: 'auto', lang: 'de-at' },
      { hyphens: 'auto', lang: 'de-AT' },
    ],
    [{ 'text-wrap': 'balance' }, { textWrap: 'balance' }],
    [{ text_wrap: 'pretty' }, { textWrap: 'pretty' }],
    [{ 'text-wrap': 'nowrap' }, { noWrap: true }],
    [{ 'font-size': 'auto' }, { fit: {} }],
    [{ 'font-size': 'auto', 'letter-spacing': '0.5em' }, { fit: { letterSpacingEm: 0.5 } }],
    [
      { 'font-size': 'auto', 'letter-spacing': '8px' },
      { fit: {}, letterSpacing: 8 },
    ],
    [{ 'border-radius': '12px' }, { borderRadius: 12 }],
    [
      { 'vertical-align': 'top', 'horizontal-align': 'right' },
      { verticalPosition: 'top', horizontalPosition: 'right' },
    ],
    [{ 'vertical-position': 'middle' }, { verticalPosition: 'center' }],
  ])('settings %o', (settings, typography) => {
    expect(styled(settings)).toMatchObject(typography);
  });

  test.each<[string, object]>([
    ['004', { fontFamilies: ['Roboto'], shadows: [{ x: 2, y: 2, blur: 0, color: { r: 33, g: 33, b: 33, a: 128 } }] }],
    ['006', { fontFamilies: ['Anton'], letterSpacing: 38.4, fontSize: 76.8 }],
    ['007', { fontFamilies: ['Anton'], letterSpacing: 0, shadows: [] }],
    ['008', { fontFamilies: ['Anton'], shadows: [] }],
    ['010', { fontFamilies: ['Inter'], shadows: [] }],
    ['011', { fontFamilies: ['Inter'], backgroundColor: { r: 0, g: 0, b: 0, a: 255 }, padding: { top: 7.68, right: 30.72, bottom: 7.68, left: 30.72 } }],
  ])('style %s has its own look, which settings change', (style, look) => {
    const { typography } = text({ style });
    for (const [name, value] of Object.entries(look)) {
      if (typeof value === 'number') expect(typography[name as 'fontSize']).toBeCloseTo(value, 9);
    }
    expect(typography.fontFamilies).toEqual((look as { fontFamilies: string[] }).fontFamilies);
    expect(typography).toMatchObject(Object.fromEntries(Object.entries(look).filter(([name]) => /shadows|backgroundColor/.test(name))));
    const settings = { font: 'Oswald', 'text-shadow': '1px 1px', 'letter-spacing': 3, 'background-color': '#00ff00', padding: 1 };
    expect(text({ style, settings }).typography).toMatchObject({
      fontFamilies: ['Oswald'],
      shadows: [{ x: 1, y: 1, blur: 0 }],
      letterSpacing: 3,
      backgroundColor: { r: 0, g: 255, b: 0, a: 255 },
      padding: { top: 1, right: 1, bottom: 1, left: 1 },
    });
  });

  test('the width of the element is that of its box, of its settings that of the block', () => {
    expect(text({ width: 400, settings: { width: '50%' } })).toMatchObject({ width: 400, typography: { blockWidth: 200 } });
    expect(text({ width: 400 }).typography.blockWidth).toBeUndefined();
    expect(text({ settings: { width: 'auto' } }).typography.blockWidth).toBeUndefined();
  });

  test('a text as large as the canvas follows its position; one with a box of its own does not', () => {
    expect(text({ position: 'bottom' }).typography).toMatchObject({ verticalPosition: 'bottom', horizontalPosition: 'center' });
    expect(text({ position: 'top-left' }).typography).toMatchObject({ verticalPosition: 'top', horizontalPosition: 'left' });
    expect(text({ position: 'top-left', width: 500 }).typography).toMatchObject({ verticalPosition: 'top', horizontalPosition: 'center' });
    expect(text({ position: 'bottom', settings: { 'vertical-position': 'top' } }).typography.verticalPosition).toBe('top');
  });
});
