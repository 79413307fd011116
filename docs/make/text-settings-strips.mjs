/** Strips of what the settings of a text have beside the element's own properties. */
import { dusk, movie, tiles } from './visual-strips.mjs';

const words = (count) => 'Light on the mountains before the day begins'.split(' ').slice(0, count).join(' ');

/** Settings spelt as in the script; a tile for each value. */
const set = (name, list, base = {}, { text = 'Mountains', under = [], columns = 4, size = 22, element = {} } = {}) =>
  tiles(
    `text-settings.${name}`,
    list.map((value) => {
      const settings = { 'font-size': size, 'text-shadow': 'none', ...base, [name.replaceAll('_', '-')]: value };
      return [String(value).replaceAll('\u00ad', '·'), movie([...under, { type: 'text', text, settings, ...element }])];
    }),
    columns,
  );

const block = { 'background-color': '#3a5a78', padding: '8px 14px' };
const filled = { padding: '8px 14px', background: 'linear-gradient(90deg, #ff7a3d, #d0006f)' };
const stripes = { padding: '8px 14px', 'background-image': 'linear-gradient(90deg, #ff7a3d, #3a5a78)' };
const narrow = { width: 130 };
const tall = { ...block, width: 130, height: 70, 'text-align': 'left' };
const lined = { 'text-decoration': 'underline' };
const sunset = 'linear-gradient(90deg, #ffd27a, #d0006f)';

const ofBlock = [
  set('background', ['#3a5a78', sunset, 'radial-gradient(circle, #ff7a3d, #16324f)', 'conic-gradient(#ff7a3d, #3a5a78, #ff7a3d)'], block),
  set('background_image', ['none', sunset, 'linear-gradient(45deg, #16324f, transparent)'], block),
  set('background_clip', ['border-box', 'padding-box', 'content-box', 'text'], {
    ...filled,
    'background-color': 'transparent',
    border: '5px dotted #ffe14d',
    color: '#ffffff80',
  }),
  set('background_size', ['auto', '24px 100%', '50% 50%'], stripes),
  set('background_position', ['left top', 'center', 'right bottom'], { ...stripes, 'background-size': '50% 50%', 'background-repeat': 'no-repeat' }),
  set('background_repeat', ['repeat', 'repeat-x', 'no-repeat'], { ...stripes, 'background-size': '30px 18px' }),
  set('border', ['none', '2px solid gold', '4px double #ffffff', '3px dotted tomato'], { padding: '8px 14px' }),
  ...['top', 'right', 'bottom', 'left'].map((side) => set(`border_${side}`, ['none', '3px solid gold', '5px dashed tomato'], block)),
  set('border_width', [1, '3px 10px', '0 0 6px 0'], { ...block, border: '1px solid gold' }, { size: 18 }),
  set('border_style', ['solid', 'dashed', 'dotted', 'double'], { ...block, border: '4px solid gold' }),
  set('border_color', ['gold', 'tomato #66ccff', '#ffffff66'], { ...block, border: '4px solid' }),
  ...['top_left', 'top_right', 'bottom_right', 'bottom_left'].map((corner) => set(`border_${corner}_radius`, [0, 12, '50%'], block)),
  set('outline', ['none', '2px solid gold', '4px dashed tomato'], block),
  set('outline_offset', [0, 4, 10], { ...block, outline: '2px solid gold' }),
  set('box_shadow', ['none', '4px 4px 0 #d0006f', '0 0 16px gold', 'inset 0 0 12px #000000'], { ...block }),
  set('overflow', ['visible', 'hidden'], { ...block, width: 90, 'white-space': 'nowrap' }, { text: words(4), size: 14 }),
  set('filter', ['none', 'blur(1.5px)', 'drop-shadow(3px 3px 0 #d0006f)'], { ...block, 'border-radius': 8 }),
  set('transform', ['none', 'rotate(-12deg)', 'skew(-15deg)', 'translate(0, 20px) scale(0.7)'], block),
];

const ofSize = [
  set('min_width', [0, 100, '90%'], block, { text: 'Dawn' }),
  set('max_width', ['none', 110, '60%'], block, { text: words(5), size: 11 }),
  set('min_height', ['auto', 40, 70], block, { text: 'Dawn' }),
  set('max_height', ['none', 50, 26], { ...block, width: 110, overflow: 'hidden' }, { text: words(6), size: 12 }),
  set('display', ['block', 'flex', 'none'], { ...tall, 'align-items': 'center', 'justify-content': 'center' }, { text: 'Dawn' }),
  set('align_items', ['flex-start', 'center', 'flex-end'], { ...tall, display: 'flex' }, { text: 'Dawn' }),
  set('justify_content', ['flex-start', 'center', 'flex-end'], { ...tall, display: 'flex' }, { text: 'Dawn' }),
];

const ofLines = [
  set('white_space', ['pre-line', 'normal', 'nowrap', 'pre-wrap'], narrow, { text: 'two\nlines      and many spaces in a row', size: 12 }),
  set('word_spacing', ['normal', 8, '1em', -3], {}, { text: words(3), size: 16 }),
  set('text_indent', [0, 20, '30%'], { ...narrow, 'text-align': 'left' }, { text: words(7), size: 14 }),
  set('direction', ['ltr', 'rtl'], narrow, { text: 'At dawn, 5 km!', size: 18 }),
  set('line_clamp', ['none', 1, 2], { ...narrow }, { text: words(8), size: 15 }),
  set('text_overflow', ['clip', 'ellipsis'], { ...block, width: 120, 'white-space': 'nowrap', overflow: 'hidden' }, { text: words(6), size: 16 }),
];

const ofLetters = [
  set('text_decoration_line', ['none', 'underline', 'overline', 'underline line-through'], {}),
  set('text_decoration_color', ['tomato', 'gold', '#66ccff'], { ...lined, 'text-decoration-thickness': 3 }),
  set('text_decoration_style', ['solid', 'double', 'dotted', 'wavy'], { ...lined, 'text-decoration-color': 'gold', 'text-decoration-thickness': 2 }),
  set('text_decoration_thickness', ['auto', 1, 5], lined),
  set('text_underline_offset', ['auto', 2, 8], lined),
  set('font_variant', ['normal', 'small-caps', 'all-small-caps'], {}, { text: 'Two Peaks' }),
  set('font_kerning', ['auto', 'none'], { 'font-family': 'Playfair Display' }, { text: 'AVATAR Ty', size: 26 }),
  set('text_stroke_width', [0, 1, 3], { 'font-family': 'Anton', 'text-stroke-color': '#d0006f' }),
  set('text_stroke_color', ['#d0006f', 'gold', '#16324f'], { 'font-family': 'Anton', 'text-stroke-width': 2 }),
  set('text_fill_color', ['#ffffff', 'gold', 'transparent'], { 'font-family': 'Anton', 'text-stroke': '1px #16324f' }, { under: [dusk] }),
];

export const textSettingsStrips = [...ofBlock, ...ofSize, ...ofLines, ...ofLetters];
