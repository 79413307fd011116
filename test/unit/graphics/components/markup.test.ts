import { expect, test } from 'vitest';
import { isBlank, parseMarkup } from '../../../../src/graphics/components/markup.js';

const lines = (source: string | string[]) => parseMarkup(source).paragraphs.map(({ text }) => text);

test.each([
  ['one line', 'Hello', ['Hello']],
  ['breaks', 'A<br>B<BR/>C', ['A', 'B', 'C']],
  ['an array of paragraphs', ['A', 'B<br>C'], ['A', 'B', 'C']],
  ['a blank paragraph', ['&nbsp;', 'B'], ['\u00a0', 'B']],
  ['entities', 'R&amp;D &lt;3 &#8364;&#x20AC; &nope;', ['R&D <3 €€ &nope;']],
  ['signs that are no tags', '3 < 5 and 5 > 3', ['3 < 5 and 5 > 3']],
  ['other tags', '<span style="x">A</span> <u>B</u><!-- C -->', ['A B']],
  ['blocks', '<p>A</p><p>B</p>', ['A', 'B']],
  ['white space', '  A \t  B  ', ['A B']],
  ['line feeds', 'A\nB', ['A', 'B']],
  ['control characters and halves of characters', 'A\u0007\ud800B\ufffe', ['AB\ufffe']],
])('reads %s', (_, source, expected) => {
  expect(lines(source)).toEqual(expected);
});

test('tells bold and italic letters apart', () => {
  const [line] = parseMarkup('a<b>b<i>c</i></b><em>d</em>e</b>').paragraphs;
  expect(line?.text).toBe('abcde');
  expect([...(line?.faces ?? [])]).toEqual([0, 1, 3, 2, 0]);
});

test('knows what shows nothing', () => {
  expect(['', [''], '&nbsp;', '<b></b>', ['', '<br>']].map((source) => isBlank(source))).toEqual([true, true, true, true, true]);
  expect(isBlank(['', 'x'])).toBe(false);
});
