import { describe, expect, test } from 'vitest';
import { parseMovie, type TextElement } from '../../../src/script/index.js';

const parsed = (settings: object, text = 'x', element: object = {}): TextElement =>
  parseMovie({ width: 400, height: 200, scenes: [{ elements: [{ type: 'text', text, settings: { 'font-size': '20px', ...settings }, ...element }] }] })
    .scenes[0]?.elements[0] as TextElement;
const refusal = (settings: object) => {
  try {
    parsed(settings);
  } catch (error) {
    return error as Error & { path?: string };
  }
  throw new Error('accepted');
};

describe('CSS in the settings of a text', () => {
  test('what is not drawn is told, and does not stop the movie', () => {
    expect(parsed({ 'backdrop-filter': 'blur(4px)', animation: 'spin 1s', 'scroll-snap-type': 'x' }).warnings).toEqual([
      'settings.backdrop-filter is a CSS property that is not drawn',
      expect.stringMatching(/^settings\.animation is a CSS property that is not drawn; write style/),
      'settings.scroll-snap-type is a CSS property that is not drawn',
    ]);
  });

  test('what changes nothing is not told of', () => {
    expect(
      parsed({ 'box-sizing': 'border-box', 'backdrop-filter': 'none', '-webkit-font-smoothing': 'antialiased', animation: 'none' }).warnings,
    ).toBeUndefined();
  });

  test('all spellings mean the same', () => {
    const { typography } = parsed({ 'word-spacing': '1em', 'line-clamp': 2 });
    expect(typography).toMatchObject({ wordSpacing: 20, maxLines: 2 });
    expect(parsed({ word_spacing: '1em', line_clamp: 2 }).typography).toEqual(typography);
    expect(parsed({ wordSpacing: '1em', WebkitLineClamp: 2 }).typography).toEqual(typography);
    expect(parsed({ 'word-spacing': '1em', '-webkit-line-clamp': 2 }).typography).toEqual(typography);
    expect(parsed({ fontStyle: 'normal', textAlign: 'left' }).typography).toMatchObject({ fontStyle: 'normal', textAlign: 'left' });
  });

  test('a border takes room, and each side has its own', () => {
    const { typography } = parsed({ border: '2px solid red', 'border-left': '8px dashed blue', padding: 4 });
    expect(typography.padding).toEqual({ top: 6, right: 6, bottom: 6, left: 12 });
    expect(typography.box?.border.styles).toEqual({ top: 'solid', right: 'solid', bottom: 'solid', left: 'dashed' });
    expect(parsed({ border: 'none' }).typography.box).toBeUndefined();
  });

  test('a gradient clipped to the text fills the letters alone', () => {
    const { typography } = parsed({ background: 'linear-gradient(90deg, gold, crimson)', '-webkit-background-clip': 'text', color: 'transparent' });
    expect(typography.fill?.layers).toHaveLength(1);
    expect(typography.backgroundColor.a).toBe(0);
    expect(typography.box?.background.layers ?? []).toEqual([]);
  });

  test('white space is kept, collapsed or never wrapped', () => {
    expect(parsed({ 'white-space': 'normal' }, 'a\n b<br>c').text).toBe('a b\nc');
    expect(parsed({ 'white-space': 'pre' }).typography).toMatchObject({ keepSpaces: true, noWrap: true });
    expect(parsed({}).typography.noWrap).toBeUndefined();
  });

  test('filter and transform are drawn as far as they can be', () => {
    const element = parsed({ filter: 'blur(4px) sepia(1)', transform: 'translate(10px, 20px) scale(2)' });
    expect(element.blur).toBe(4);
    expect(element.typography.transform).toEqual([2, 0, 0, 2, 10, 20]);
    expect(element.warnings).toEqual([expect.stringMatching(/sepia\(\) is not drawn/)]);
    expect(parsed({ filter: 'drop-shadow(1px 2px 3px red)', 'text-shadow': 'none' }).typography.shadows).toHaveLength(1);
  });

  test('what a block with a background casts is the block\u2019s shadow, not its letters\u2019', () => {
    const { typography } = parsed({ filter: 'drop-shadow(1px 2px 3px red)', 'text-shadow': 'none', 'background-color': 'white' });
    expect(typography.shadows).toEqual([]);
    expect(typography.box?.shadows).toMatchObject([{ x: 1, y: 2, blur: 3, spread: 0, inset: false }]);
  });

  test('display: none leaves no box either', () => {
    const { text, typography } = parsed({ display: 'none', 'background-color': 'red', border: '2px solid blue', outline: '1px solid' });
    expect(text).toBe('');
    expect(typography).toMatchObject({ backgroundColor: { a: 0 } });
    expect([typography.box, typography.outline]).toEqual([undefined, undefined]);
  });

  test('a background is clipped to the padding or to the content', () => {
    const inset = (clip: string) =>
      parsed({ 'background-color': 'red', border: '2px solid blue', padding: '4px 6px', 'background-clip': clip }).typography.box?.background.inset;
    expect(inset('border-box')).toBeUndefined();
    expect(inset('padding-box')).toEqual({ top: 2, right: 2, bottom: 2, left: 2 });
    expect(inset('content-box')).toEqual({ top: 6, right: 8, bottom: 6, left: 8 });
  });

  test('an indent in percent is part of the width that lines have', () => {
    expect(parsed({ 'text-indent': '10%' }).typography.textIndent).toBe(40);
    expect(parsed({ 'text-indent': '10%', width: '200px', padding: '0 20px' }).typography.textIndent).toBe(16);
    expect(parsed({ 'text-indent': '1em' }).typography.textIndent).toBe(20);
  });

  test.each([
    ['border', '2px sold red'],
    ['border-style', 'wiggly'],
    ['box-shadow', '4px'],
    ['background', 'linear-gradient(90deg)'],
    ['background-image', 'url(https://example.com/a.png)'],
    ['max-width', 'wide'],
    ['white-space', 'tight'],
    ['line-clamp', 0],
    ['word-spacing', '1 fortnight'],
    ['text-decoration', 'underline squiggly'],
    ['filter', 'blur'],
    ['transform', 'sideways'],
  ])('a wrong value is an error that names the field: %s: %s', (key, value) => {
    const { path, message } = refusal({ [key]: value });
    expect(path).toBe(`scenes.0.elements.0.settings.${key}`);
    expect(message).toContain(key);
  });
});
