/** Strips of what is drawn here: text, pages, components, waves and subtitles. */
import { dusk, instants, movie, night, tiles, variants } from './visual-strips.mjs';

const long = 'Light on the mountains before the day begins';
const lettering = (of, list, property, base = {}, options = {}) =>
  variants(`text.${of}`, list, (value) => ({ type: 'text', text: 'Mountains', font_size: 22, ...base, [property ?? of]: value }), options);
const labelled = { background_color: '#3a5a78', 'text-shadow': 'none' };
const sentence = { text: long, font_size: 14, 'text-shadow': 'none' };
const sides = (property, list = [0, 8, 24]) => ['top', 'right', 'bottom', 'left'].map((side) => lettering(`${property}_${side}`, list, undefined, labelled));

const styleTexts = ['001', '002', '003', '004', '005', '006', '007', '008', '009', '010', '011'];
const styleInstants = { '001': 0, '002': 0.9, '003': 0.6, '004': 0.15, '005': 0.4, '006': 0.9, '007': 0.5, '008': 0.7, '009': 1.2, '010': 3, '011': 0 };

const ofText = [
  lettering('text', ['Hello', 'two\nlines', 'مرحبا', 'こんにちは'], undefined),
  tiles('text.markup', [
    ['<mark>half</mark> price', movie([night, { type: 'text', text: '<mark>half</mark> price', markup: true, font_size: 24, 'text-shadow': 'none' }])],
    ['<b>half</b> <i>price</i>', movie([night, { type: 'text', text: '<b>half</b> <i>price</i>', markup: true, font_size: 24, 'text-shadow': 'none' }])],
    [
      '<span style="…">½</span> price',
      movie([night, { type: 'text', text: '<span style="color: gold; font-size: 2em">½</span> price', markup: true, font_size: 24, 'text-shadow': 'none' }]),
    ],
    ['markup: false', movie([night, { type: 'text', text: '<b>half</b> price', font_size: 18, 'text-shadow': 'none' }])],
  ]),
  {
    of: 'text.style',
    columns: 4,
    tiles: styleTexts.map((style) => ({
      label: `${style} at ${styleInstants[style]} s`,
      script: movie([night, { type: 'text', text: 'Mountains', style, font_size: 22, 'letter-spacing': 0, duration: 4 }]),
      at: styleInstants[style],
    })),
  },
  lettering('font', ['Inter', 'Anton', 'Playfair Display', 'Caveat'], 'font'),
  lettering('color', ['#ffffff', 'gold', 'hsl(200, 80%, 70%)', '#ffffff66'], undefined),
  lettering('font_size', [12, 24, '2em', '15vw'], undefined),
  lettering('background_color', ['transparent', '#3a5a78', 'crimson', '#ffffff55'], undefined),
  lettering('font_weight', [100, 400, 700, 900], undefined),
  lettering('font_style', ['normal', 'italic'], undefined, { font: 'Playfair Display' }),
  lettering('text_align', ['left', 'center', 'right', 'justify'], undefined, { ...sentence, width: 130, position: 'center' }),
  lettering('line_height', [0.9, 1.2, 1.8], undefined, { text: 'two\nlines', 'text-shadow': 'none' }),
  lettering('letter_spacing', [-1, 0, 4, '0.4em'], undefined, { font_size: 18 }),
  lettering('text_decoration', ['none', 'underline', 'line-through', 'underline overline'], undefined),
  lettering('text_transform', ['none', 'uppercase', 'lowercase', 'capitalize'], undefined, { text: 'Two Words of it', font_size: 17 }),
  lettering('text_shadow', ['none', '2px 2px 0 #d0006f', '0 0 8px #20283a', '3px 3px 4px black'], undefined, {}, { under: [dusk] }),
  lettering('shadow', [0, 2, 5], undefined, {}, { under: [dusk] }),
  lettering('text_stroke', ['1px #d0006f', '3px #16324f', '5px white'], undefined, { font: 'Anton', color: '#ffe14d' }),
  lettering('padding', [0, '4px 16px', 20], undefined, labelled),
  ...sides('padding'),
  lettering('margin', [0, '0 0 30px 0', '20px 0 0 20px'], undefined, { ...labelled, 'vertical-position': 'bottom', 'horizontal-position': 'left' }),
  ...['top', 'left'].map((side) =>
    lettering(`margin_${side}`, [0, 12, 30], undefined, { ...labelled, 'vertical-position': 'top', 'horizontal-position': 'left' }),
  ),
  ...['bottom', 'right'].map((side) =>
    lettering(`margin_${side}`, [0, 12, 30], undefined, { ...labelled, 'vertical-position': 'bottom', 'horizontal-position': 'right' }),
  ),
  lettering('word_break', ['normal', 'break-all'], undefined, {
    ...sentence,
    text: 'An extraordinarily unbreakable sentence',
    font_size: 14,
    width: 110,
    position: 'center',
  }),
  lettering('overflow_wrap', ['break-word', 'normal'], undefined, {
    ...sentence,
    text: 'Unbreakableextraordinarily',
    font_size: 18,
    width: 100,
    position: 'center',
  }),
  lettering('text_wrap', ['wrap', 'balance', 'pretty', 'nowrap'], undefined, {
    ...sentence,
    text: 'Light on all the mountains before the day',
    width: 150,
    position: 'center',
  }),
  lettering('hyphens', ['manual', 'auto', 'none'], undefined, {
    ...sentence,
    text: 'Moun\u00adtaineers photographing',
    lang: 'en',
    width: 82,
    position: 'center',
  }),
  lettering('lang', ['en-US', 'en-GB'], undefined, { ...sentence, text: 'Our photography', hyphens: 'auto', font_size: 20, width: 104, position: 'center' }),
  lettering('border_radius', [0, 8, '50%'], undefined, { ...labelled, padding: '6px 14px' }),
  lettering('horizontal_position', ['left', 'center', 'right'], undefined),
  lettering('vertical_position', ['top', 'center', 'bottom'], undefined),
  {
    of: 'text.settings',
    columns: 4,
    tiles: [{ color: 'gold' }, { 'font-size': '34px' }, { width: '70px' }, { opacity: 0.4 }].map((settings) => ({
      label: Object.entries(settings)
        .map((entry) => entry.join(': '))
        .join(),
      script: movie([{ type: 'text', text: 'Two words', settings: { 'font-size': '22px', ...settings } }]),
      at: 0,
    })),
  },
];

const page = (html, more = {}) => movie([night, { type: 'html', html, width: 160, height: 90, wait: 0, ...more }]);
const card =
  '<div style="margin:20px;padding:8px 12px;border-radius:8px;background:linear-gradient(90deg,#ff7a3d,#d0006f);color:#fff;font:700 16px Inter">A page</div>';
const tailwind = '<div class="m-4 p-3 rounded-xl bg-sky-500 text-white font-bold">Tailwind</div>';
const growing =
  '<style>@keyframes g{from{width:0}to{width:120px}}.bar{margin:30px 20px;height:30px;background:#ffd27a;animation:g 2s linear both}</style><div class="bar"></div>';
const lines = '<div style="margin:30px 20px;font:10px Inter;color:white">Fine lines and small letters</div>';
const ofPages = [
  tiles('html.html', [
    ['a snippet', page(card)],
    ['its animation at 0.5 s', page(growing), 0.5],
    ['at 1.5 s', page(growing), 1.5],
  ]),
  tiles(
    'html.tailwind',
    [false, true].map((on) => [String(on), page(tailwind, { tailwind: on })]),
  ),
  tiles(
    'html.wait',
    [0, 1, 2].map((wait) => [String(wait), page(growing, { wait })]),
  ),
  tiles(
    'html.dpi',
    [1, 2].map((dpi) => [String(dpi), page(lines, { dpi })]),
  ),
  tiles(
    'html.settings',
    [{}, { color: 'gold' }, { 'font-size': '24px' }].map((settings) => [
      Object.entries(settings)
        .map((entry) => entry.join(': '))
        .join() || 'none',
      page('<div style="margin:20px">A page</div>', { settings: { color: 'white', 'font-family': 'Inter', ...settings } }),
    ]),
  ),
];

const shown = { 'basic/000': 0, 'basic/050': 2, 'advanced/050': 1, 'advanced/070': 2 };
const groups = {
  'basic/000': { headline: { text: 'A card' }, body: { text: 'with two lines' } },
  'basic/050': { headline: { text: 'Lower third' }, lead: { text: 'and its lead' } },
  'advanced/050': { button: { text: 'Button' } },
  'advanced/070': { rating: { value: 4, size: '10vw' } },
};
const rated = (rating) => movie([night, { type: 'component', component: 'advanced/070', settings: { rating: { size: '10vw', ...rating } } }]);
const ofComponents = [
  tiles(
    'component.component',
    Object.entries(shown).map(([component, at]) => [component, movie([dusk, { type: 'component', component, settings: groups[component] }]), at]),
  ),
  tiles(
    'component.settings',
    [{ value: 2 }, { value: 4.5 }, { value: 3, symbol: 'heart', color: 'crimson' }].map((rating) => [
      Object.entries(rating)
        .map((entry) => entry.join(': '))
        .join(', '),
      rated(rating),
      2.5,
    ]),
  ),
];

const wave = (more) => [night, { type: 'audiogram', opacity: 1, color: '#ffd27a', ...more }, { type: 'audio', src: 'music.wav', duration: -2 }];
const ofWaves = [
  variants('audiogram.color', ['#ffd27a', 'crimson', '#66ccff'], (color) => wave({ color }), { at: 1 }),
  variants('audiogram.style', ['bars', 'mirrored', 'line', 'circle', 'spectrum'], (style) => wave({ style, width: 150, height: 84, position: 'center' }), {
    at: 1,
    columns: 5,
  }),
  variants('audiogram.amplitude', [1, 5, 10], (amplitude) => wave({ amplitude }), { at: 1 }),
];

/** With the time of each word. */
const ass = `[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\k80}every {\\k80}word {\\k80}at {\\k80}its {\\k80}time
`;
const titled = (settings = {}, more = {}) => movie([dusk, { type: 'subtitles', captions: ass, settings: { 'font-size': 16, ...settings }, ...more }]);
const subtitled = (name, list, more = {}, at = 1.3) =>
  tiles(
    `subtitle-settings.${name}`,
    list.map((value) => [String(value), titled({ ...more, [name.replaceAll('_', '-')]: value }), at]),
  );
const placed = { position: 'custom', x: 80, y: 45 };
const ofSubtitles = [
  instants('subtitles.captions', titled(), [0.4, 1.3, 2.2, 3.2]),
  {
    of: 'subtitles.settings',
    columns: 4,
    tiles: [{}, { style: 'boxed-word' }, { 'all-caps': true }].map((settings) => ({
      label:
        Object.entries(settings)
          .map((entry) => entry.join(': '))
          .join() || 'none',
      script: titled(settings),
      at: 1.3,
    })),
  },
  subtitled('style', ['classic', 'classic-progressive', 'classic-one-word', 'boxed-line', 'boxed-word']),
  // For the page on subtitles.
  tiles(
    'subtitle-settings.moving-style',
    ['pop', 'bounce', 'box-slide', 'gradient', 'glow', 'karaoke-fill', 'stack', 'emphasis'].map((style) => [style, titled({ style }), 1.3]),
  ),
  subtitled('gradient_color', ['#ff4d8d', '#66ccff', 'crimson'], { style: 'gradient' }),
  subtitled('font_family', ['Arial', 'Oswald Bold', 'Bangers', 'Caveat']),
  subtitled('font_size', [10, 16, 24]),
  subtitled('font_weight', [100, 400, 900], { 'font-family': 'Inter' }),
  subtitled('word_color', ['#ffff00', 'tomato', '#66ccff']),
  subtitled('line_color', ['#ffffff', 'gold', '#333333']),
  subtitled('font_color', ['#ffffff', 'gold', '#333333']),
  subtitled('box_color', ['#000000', '#d0006f', '#ffffffaa'], { style: 'boxed-line' }),
  subtitled('outline_color', ['#000000', '#d0006f', '#16324f'], { 'outline-width': 2 }),
  subtitled('outline_width', [0, 1, 3], { 'outline-color': '#16324f' }),
  subtitled('shadow_color', ['#000000', '#d0006f'], { 'shadow-offset': 2 }),
  subtitled('shadow_offset', [0, 1, 4], { 'shadow-color': '#000000' }),
  subtitled('max_words_per_line', [1, 2, 5]),
  subtitled('all_caps', [false, true]),
  subtitled('position', ['top-left', 'mid-top-center', 'center', 'bottom-right']),
  subtitled('x', [40, 80, 120], { ...placed, 'font-size': 12, 'max-words-per-line': 2 }),
  subtitled('y', [20, 45, 75], placed),
  subtitled('offset_y', [-20, 0, 10]),
  tiles('subtitle-settings.replace', [
    ['none', titled(), 1.3],
    ['word: syllable', titled({ replace: { word: 'syllable' } }), 1.3],
  ]),
];

export const drawnStrips = [...ofText, ...ofPages, ...ofComponents, ...ofWaves, ...ofSubtitles];
