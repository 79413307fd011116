import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { mixValues, parseMovie, type TextElement } from '../../../src/script/index.js';

const text = (more: object) => ({ type: 'text', text: 'Hi', ...more });
const parsed = (element: object) => parseMovie({ width: 200, height: 100, scenes: [{ elements: [element] }] }).scenes[0]?.elements[0] as TextElement;
const AT = 'scenes.0.elements.0.keyframes';

describe('values between keyframes', () => {
  test.each<[name: string, from: unknown, to: unknown, share: number, expected: unknown]>([
    ['numbers', 10, 20, 0.25, 12.5],
    ['numbers beyond the end', 10, 20, 1.1, 21],
    ['numbers in texts', '10', '20', 0.5, '15'],
    ['lengths', '2px', '10px', 0.5, '6px'],
    ['a number and a length in pixels', 40, '80px', 0.5, '60px'],
    ['zero and a percentage', 0, '50%', 0.5, '25%'],
    ['lists of lengths', '10px 20px', '20px 0', 0.5, '15px 10px'],
    ['colours, even for the eye', '#000000', 'white', 0.5, '#636363ff'],
    ['a colour that becomes transparent and keeps its hue', '#ff0000', 'transparent', 0.5, '#ff000080'],
    ['shadows', '0 0 4px rgba(0, 0, 0, 0)', '2px 4px 8px rgba(0, 0, 0, 1)', 0.5, '1px 2px 6px #00000080'],
    ['transforms', 'rotate(10deg) scale(1)', 'rotate(20deg) scale(2)', 0.5, 'rotate(15deg) scale(1.5)'],
    ['gradients', 'linear-gradient(90deg, red, blue)', 'linear-gradient(0deg, red, blue)', 0.5, 'linear-gradient(45deg, #ff0000ff, #0000ffff)'],
    ['lists of numbers', [1, 2], [3, 6], 0.5, [2, 4]],
    ['objects', { a: 1, b: 'x' }, { a: 3, b: 'y' }, 0.5, { a: 2, b: 'x' }],
    ['other units: no change before the end', '1em', '20px', 0.9, '1em'],
    ['words: no change before the end', 'Version 1', 'Version 2', 0.9, 'Version 1'],
    ['words at the end', 'left', 'right', 1, 'right'],
    ['amounts in a text', '10 km', '20 km', 0.5, '10 km'],
    ['times of day', '10:30', '11:30', 0.5, '10:30'],
    ['lists of other lengths', [1], [1, 2], 0.5, [1]],
  ])('%s', (_, from, to, share, expected) => {
    expect(mixValues(from, to, share)).toEqual(expected);
  });
});

describe('keyframes of a text for which it is drawn anew', () => {
  test('give the text that its settings at that time give', () => {
    const keyframes = [
      { time: 0, font_size: 20, settings: { padding: '0px', font_color: '#ffffff' } },
      { time: '100%', 'font-size': '40px', settings: { padding: '10px 20px' }, easing: 'easeInQuad' },
    ];
    const element = parsed(text({ settings: { 'font-size': 99, padding_top: 5, 'font-color': 'red' }, keyframes }));
    const { tracks, at } = element.varying as NonNullable<TextElement['varying']>;
    expect(tracks.map(({ path }) => path.join('.'))).toEqual(['font-size', 'settings.padding', 'settings.font-color']);
    expect(tracks[0]?.keys).toEqual([
      { time: { seconds: 0 }, easing: 'linear', value: 20 },
      { time: { fraction: 1 }, easing: 'easeInQuad', value: '40px' },
    ]);
    const { typography, varying } = at(['30px', '10px', 'lime']);
    expect(varying).toBeUndefined();
    expect(typography).toMatchObject({ fontSize: 30, padding: { top: 5, right: 10 }, color: { r: 0, g: 255, b: 0 } });
    expect(typography).toEqual(parsed(text({ font_size: 30, settings: { padding: 10, padding_top: 5, 'font-color': 'lime' } })).typography);
  });

  test('in settings win over the same property of the element', () => {
    const { varying } = parsed(text({ letter_spacing: 4, keyframes: [{ time: 0, settings: { letter_spacing: 9 } }] }));
    expect(varying?.at([7]).typography.letterSpacing).toBe(7);
  });

  test('stay away from texts without them', () => {
    expect(parsed(text({ keyframes: [{ time: 0, color: 'red' }] }))).not.toHaveProperty('varying');
  });

  test.each([
    [
      'a size of an image',
      { type: 'image', src: 'https://example.com/a.png', keyframes: [{ time: 0, font_size: 5 }] },
      '0.font_size',
      /is for elements of type "text", not "image"\.$/,
    ],
    ['a theme of a text', text({ keyframes: [{ time: 0, theme: {} }] }), '0.theme', /is for elements of type "component", not "text"\.$/],
    ['an invalid length', text({ keyframes: [{ time: 0 }, { time: 1, settings: { padding: 'wide' } }] }), '1.settings.padding', /must be one to four lengths/],
    ['a weight out of range', text({ keyframes: [{ time: 0, font_weight: 2000 }] }), '0.font_weight', /from 1 to 1000/],
    ['an unknown setting', text({ keyframes: [{ time: 0, settings: { 'font-sise': 5 } }] }), '0.settings.font-sise', /font-size/],
    ['a value that is a list', text({ keyframes: [{ time: 0, settings: { padding: [5] } }] }), '0.settings.padding', /must be a number or a string/],
    ['opacity among the settings', text({ keyframes: [{ time: 0, settings: { opacity: 0.5 } }] }), '0.settings.opacity', /write opacity beside settings\.$/],
    ['a blur among the settings', text({ keyframes: [{ time: 0, settings: { filter: 'blur(4px)' } }] }), '0.settings.filter', /write blur beside settings\.$/],
    ['an unknown alignment', text({ keyframes: [{ time: 0, settings: { 'text-align': 'middle' } }] }), '0.settings.text-align', /must be one of/],
    [
      'an unknown part of a theme',
      { type: 'component', component: 'motion/quote', keyframes: [{ time: 0, theme: { primry: 'red' } }] },
      '0.theme.primry',
      /primary/,
    ],
    ['another font', text({ keyframes: [{ time: 0, settings: { 'font-family': 'Anton' } }] }), '0.settings.font-family', /cannot change in keyframes/],
    [
      'letters that move',
      text({ animate: { in: { type: 'rise', by: 'letter' } }, keyframes: [{ time: 0, font_size: 5 }] }),
      '',
      /cannot be combined with animate/,
    ],
    ['a style that moves letters', text({ style: '005', keyframes: [{ time: 0, letter_spacing: 5 }] }), '', /cannot be combined with style "005"/],
  ])('%s is refused', (_, element, at, message) => {
    const error = (() => {
      try {
        parsed(element);
      } catch (thrown) {
        return thrown as AppError;
      }
    })();
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'SCHEMA_VALIDATION_ERROR', path: at === '' ? AT : `${AT}.${at}` });
    expect(error?.message).toMatch(message);
  });
});
