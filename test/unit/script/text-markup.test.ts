import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMovie, ScriptError, type TextElement } from '../../../src/script/index.js';

function parsed(text: string, more: Record<string, unknown> = {}): TextElement {
  const movie = parseMovie({ width: 1000, height: 500, scenes: [{ elements: [{ type: 'text', text, markup: true, font_size: 50, ...more }] }] });
  return movie.scenes[0]?.elements[0] as TextElement;
}

const tokens = [
  '<b>',
  '</b>',
  '<i>',
  '</i>',
  '<span style="color: gold">',
  '</span>',
  '<mark>',
  '</mark>',
  '<',
  '>',
  '&lt;',
  '&#65;',
  '"',
  'a',
  ' ',
  '\n',
  '<br>',
  '<x>',
];

const gold = { r: 255, g: 215, b: 0, a: 255 };

describe('markup', () => {
  test('is drawn as written unless the text opts in', () => {
    const { text, spans } = parsed('a <b>b</b> &lt;', { markup: false });
    expect([text, spans]).toEqual(['a <b>b</b> &lt;', undefined]);
  });

  test.each([
    ['<b>a</b>', { fontWeight: 700 }],
    ['<strong>a</strong>', { fontWeight: 700 }],
    ['<i>a</i>', { fontStyle: 'italic' }],
    ['<EM>a</em>', { fontStyle: 'italic' }],
    ['<u>a</u>', { textDecoration: { underline: true, lineThrough: false, overline: false } }],
    ['<s>a</s>', { textDecoration: { underline: false, lineThrough: true, overline: false } }],
    [
      '<mark>a</mark>',
      { color: { r: 0, g: 0, b: 0, a: 255 }, background: { color: { r: 255, g: 225, b: 77, a: 255 }, radiusEm: 0, scale: 1 }, noShadow: true },
    ],
    ['<span style="color: gold; text-shadow: none">a</span>', { color: gold, noShadow: true }],
    ["<span style='font-size: 75px; font-weight: 900'>a</span>", { scale: 1.5, fontWeight: 900 }],
    ['<span style="font-size:150%"><span style="font-size: .5em">a</span></span>', { scale: 0.75 }],
    ['<span style="letter-spacing: 5px">a</span>', { letterSpacingEm: 0.1 }],
    ['<span style="letter-spacing: normal; -webkit-text-stroke: 2px gold">a</span>', { letterSpacingEm: 0, stroke: { widthEm: 0.04, color: gold } }],
    ['<span style="text-stroke: .1em">a</span>', { stroke: { widthEm: 0.1 } }],
    ['<span style="text-stroke: none">a</span>', { stroke: { widthEm: 0 } }],
    ['<b><i style="color:gold">a</i></b>', { fontWeight: 700, fontStyle: 'italic', color: gold }],
    ['<u><s>a</s></u>', { textDecoration: { underline: true, lineThrough: true, overline: false } }],
    ['<span style="font-family: Caveat, \'EB Garamond\'">a</span>', { fontFamilies: ['Caveat', 'EB Garamond'] }],
    ['<span style="border-radius: 10px; background: gold; font-size: 2em">a</span>', { scale: 2, background: { color: gold, radiusEm: 0.2, scale: 2 } }],
    [
      '<span style="text-decoration: underline wavy gold">a</span>',
      { textDecoration: { underline: true, lineThrough: false, overline: false }, decorationLook: { style: 'wavy', color: gold } },
    ],
  ])('%s', (text, look) => {
    expect(parsed(text)).toMatchObject({ text: 'a', spans: [{ start: 0, end: 1, look }] });
  });

  test('gives positions in the text without tags', () => {
    const { text, spans } = parsed('x &amp; y<br><b>bo<i>th</i></b> <span>plain</span> 1 < 2 &lt;b&gt;');
    expect(text).toBe('x & y\nboth plain 1 < 2 <b>');
    expect(spans).toEqual([
      { start: 6, end: 8, look: { fontWeight: 700 } },
      { start: 8, end: 10, look: { fontWeight: 700, fontStyle: 'italic' } },
    ]);
  });

  test('with an automatic size has relative sizes', () => {
    expect(parsed('<span style="font-size: 1.5em">a</span>', { font_size: 'auto' }).spans?.[0]?.look.scale).toBe(1.5);
    expect(() => parsed('<span style="font-size: 40px">a</span>', { font_size: 'auto' })).toThrow(
      /font-size of <span> must be in em or % where font_size is auto/,
    );
  });

  test('warns about CSS that it does not draw', () => {
    expect(parsed('<span style="line-height: 2">a</span>').warnings).toEqual([
      'text: line-height of <span> is a CSS property that is not drawn in a part of a text',
    ]);
  });

  test('of any kind is parsed or refused', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 30 }), (parts) => {
        try {
          const { text, spans = [] } = parsed(parts.join(''));
          const bounds = spans.flatMap(({ start, end }) => [start, end]);
          expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
          expect(Math.max(0, ...bounds)).toBeLessThanOrEqual(text.length);
        } catch (error) {
          if (!(error instanceof ScriptError)) throw error;
        }
      }),
    );
  });

  test.each([
    ['<blink>a</blink>', /^text has <blink>, but with markup its tags must be <b>, <strong>, .* or <br>; write &lt; for <\.$/],
    ['<b>a', /^text has <b> without <\/b>\.$/],
    ['a</b>', /^text has <\/b> without <b>\.$/],
    ['<b><i>a</b></i>', /^text has <\/b> where <\/i> must close <i>\.$/],
    ['<b class="x">a</b>', /^text has <b class="x">, but tags have no attribute but style="…"; not "class=\\"x\\""\.$/],
    ['<span style="gold">a</span>', /^text: the style of <span> must be declarations like .*, not "gold"\.$/],
    ['<span style="color: gld">a</span>', /^text: color of <span> must be a colour \(.*\); not "gld"\.$/],
    ['<span style="font-size: 0">a</span>', /^text: font-size of <span> must be a length like .*, up to 10 times the text's font size; not "0"\.$/],
    ['<span style="font-weight: fat">a</span>', /^text: font-weight of <span> must be a number from 1 to 1000, normal or bold; not "fat"\.$/],
    ['<span style="font-family: https://a.example/b.ttf">a</span>', /^text: font-family of <span> must be names of font families, without a URL/],
    ['<span style="letter-spacing: wide">a</span>', /^text: letter-spacing of <span> must be normal or a length like .*; not "wide"\.$/],
    ['<span style="text-stroke: 2px 3px">a</span>', /^text: text-stroke of <span> must be none, or a width and a colour like .*; not "2px 3px"\.$/],
    ['<span style="text-stroke: gold">a</span>', /^text: text-stroke of <span> must be none, or a width/],
    ['<span style="colour: gold">a</span>', /^text: <span> has the unknown property "colour"; allowed are color, background, .* and text-decoration\.$/],
    ['<b>a</b>b'.repeat(1001), /^text has 1001 parts with markup; at most 1000 are allowed\.$/],
  ])('%s is refused', (text, message) => {
    const error = (() => {
      try {
        parsed(text);
      } catch (thrown) {
        return thrown as Error & { path?: string };
      }
    })();
    expect(error?.message).toMatch(message);
    expect(error?.path).toBe('scenes.0.elements.0.text');
  });
});
