import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { parseMovie } from '../../../src/script/index.js';

const text = (more: object) => ({ type: 'text', text: 'Hi', ...more });
const image = (more: object) => ({ type: 'image', src: 'https://example.com/a.png', ...more });
const IN_TEXT = 'scenes.0.elements.0';
const IN_IMAGE = IN_TEXT;

const parsed = (element: object) => parseMovie({ width: 200, height: 100, scenes: [{ elements: [element] }] }).scenes[0]?.elements[0];

describe('keyframes', () => {
  test('of colours, sizes, crops and shadows are read in canvas pixels', () => {
    const keyframes = [
      { time: 0, width: '50%', height: 20, crop: { width: 30, height: '40' }, drop_shadow: { color: 'red', blur: 8, y: '10vh' }, 'skew-x': '5' },
    ];
    expect(parsed(image({ keyframes }))?.keyframes).toEqual([
      {
        ...{ time: { seconds: 0 }, easing: 'linear', width: 100, height: 20, skewX: 5 },
        ...{ crop: { x: 0, y: 0, width: 30, height: 40 }, shadowColor: { r: 255, g: 0, b: 0, a: 255 }, shadowBlur: 4, shadowY: 10 },
      },
    ]);
    const view = [{ time: 0, glow: { color: '#0f0', radius: '10vh', intensity: '3' }, anchor: { x: '0.25' }, perspective: '50%' }];
    expect(parsed(image({ keyframes: view }))?.keyframes).toEqual([
      { time: { seconds: 0 }, easing: 'linear', glowColor: { r: 0, g: 255, b: 0, a: 255 }, glowRadius: 5, glowIntensity: 3, anchorX: 0.25, perspective: 100 },
    ]);
    const colors = [{ time: 1, color: '#00f', 'background-color': 'transparent', text_stroke_color: '#fff', border_color: '#0f0' }];
    expect(parsed(text({ keyframes: colors }))?.keyframes).toMatchObject([
      { color: { b: 255 }, backgroundColor: { a: 0 }, strokeColor: { r: 255, g: 255, b: 255, a: 255 }, borderColor: { g: 255 } },
    ]);
  });

  test('of colours that a text does not show give a warning', () => {
    const keyframes = [{ time: 0, text_stroke_color: 'red', border_color: 'red' }];
    expect(parsed(text({ keyframes }))).toMatchObject({
      warnings: ['keyframes change text_stroke_color, but the text has no text_stroke', 'keyframes change border_color, but the text has no border'],
    });
    expect(parsed(text({ text_stroke: '2px blue', settings: { border: '1px solid blue' }, keyframes }))).not.toHaveProperty('warnings');
  });

  test.each([
    [
      'a text as wide as its keyframes',
      text({ keyframes: [{ time: 0, width: 5 }] }),
      `${IN_TEXT}.keyframes.0.width`,
      /^width in keyframes is for .*"audiogram", not "text"\.$/,
    ],
    [
      'a colour of an image in keyframes',
      image({ keyframes: [{ time: 0, color: 'red' }] }),
      `${IN_IMAGE}.keyframes.0.color`,
      /is for elements of type "text" or "audiogram", not "image"\.$/,
    ],
    ['an unknown colour in keyframes', text({ keyframes: [{ time: 0, color: 'rde' }] }), `${IN_TEXT}.keyframes.0.color`, /^color must be a colour/],
    ['a crop without size in keyframes', image({ keyframes: [{ time: 0, crop: { x: 5 } }] }), `${IN_IMAGE}.keyframes.0.crop.width`, /needs the property/],
    [
      'keyframes of width of what covers the canvas',
      image({ resize: 'cover', keyframes: [{ time: 0, width: 5 }] }),
      `${IN_IMAGE}.keyframes.0`,
      /cannot be combined with resize "cover"/,
    ],
    [
      'keyframes of a colour with a mask',
      text({ mask: 'https://example.com/m.png', keyframes: [{ time: 0, color: 'red' }] }),
      `${IN_TEXT}.keyframes.0`,
      /put the text in a group with the mask\.$/,
    ],
    ['a glow that is too strong', image({ keyframes: [{ time: 0, glow: { intensity: 9 } }] }), `${IN_IMAGE}.keyframes.0.glow.intensity`, /from 0 to 4/],
    [
      'a viewer beside corners',
      image({
        keyframes: [{ time: 0, perspective: 100 }],
        corners: [
          [0, 0],
          [90, 10],
          [90, 80],
          [0, 90],
        ],
      }),
      `${IN_IMAGE}.keyframes.0`,
      /cannot be combined with corners/,
    ],
    [
      'a border of an image',
      image({ keyframes: [{ time: 0, border_color: 'red' }] }),
      `${IN_IMAGE}.keyframes.0.border_color`,
      /border_color in keyframes is for elements of type "text"/,
    ],
    [
      'a shadow that blurs too much',
      image({ keyframes: [{ time: 0, drop_shadow: { blur: 5000 } }] }),
      `${IN_IMAGE}.keyframes.0.drop_shadow.blur`,
      /from 0 to 1000/,
    ],
  ])('%s is refused with path and allowed values', (_, element, path, message) => {
    let error: unknown;
    try {
      parsed(element);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).path).toBe(path);
    expect((error as AppError).message).toMatch(message);
  });
});
