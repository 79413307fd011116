import { describe, expect, it } from 'vitest';
import { cubeLimits, parseCube } from '../../../../src/graphics/index.js';

const corners = ['0 0 0', '1 0 0', '0 1 0', '1 1 0', '0 0 1', '1 0 1', '0 1 1', '1 1 1'];
const cube = (head: string, values: readonly string[] = corners): string => `${head}\n${values.join('\n')}\n`;

describe('parseCube', () => {
  it('reads a 3D table with comments, a title and a domain', () => {
    const parsed = parseCube(`\uFEFF# made by hand\r\nTITLE "a look"\r\nLUT_3D_SIZE 2\r\nDOMAIN_MIN -1 0 0\r\nDOMAIN_MAX 2 1 1\r\n\r\n${corners.join('\r\n')}`);
    expect(parsed).toMatchObject({ dimensions: 3, size: 2, domain: { min: [-1, 0, 0], max: [2, 1, 1] } });
    expect([...parsed.values.slice(0, 6)]).toEqual([0, 0, 0, 1, 0, 0]);
  });

  it('reads a 1D table, the input range of Resolve and exponents', () => {
    const parsed = parseCube(cube('LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE 0.0 1.5', ['0 0 0', '5e-1 .5 0.5', '+1 1. 1']));
    expect(parsed).toMatchObject({ dimensions: 1, size: 3, domain: { min: [0, 0, 0], max: [1.5, 1.5, 1.5] } });
    expect([...parsed.values]).toEqual([0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1]);
  });

  it.each([
    ['an empty file', '', /no LUT_3D_SIZE or LUT_1D_SIZE/],
    ['no size', cube('TITLE "x"'), /^line 2 .*values before LUT_3D_SIZE/],
    ['a size of 1', 'LUT_3D_SIZE 1', /^line 1 .*size from 2 to 129, not "1"/],
    ['a large size', 'LUT_3D_SIZE 130', /^line 1 .*size from 2 to 129/],
    ['a huge size', 'LUT_3D_SIZE 99999999999', /^line 1 .*size from 2 to 129/],
    ['a negative size', 'LUT_3D_SIZE -2', /^line 1 .*size from 2 to 129/],
    ['a large 1D size', 'LUT_1D_SIZE 65537', /^line 1 .*size from 2 to 65536/],
    ['both sizes', 'LUT_1D_SIZE 2\nLUT_3D_SIZE 2', /^line 2 .*second size/],
    ['an unknown keyword', 'LUT_4D_SIZE 2', /^line 1 .*unknown keyword "LUT_4D_SIZE"/],
    ['a keyword among the values', cube('LUT_3D_SIZE 2', [...corners.slice(0, 3), 'TITLE "x"']), /^line 5 .*after the first values/],
    ['a missing number', cube('LUT_3D_SIZE 2', ['0 0']), /^line 2 .*3 numbers for a vertex, not 2/],
    ['a number too many', cube('LUT_3D_SIZE 2', ['0 0 0 0']), /^line 2 .*not 4/],
    ['no number', cube('LUT_3D_SIZE 2', ['0 nan 0']), /^line 2 .*"nan" where a number is needed/],
    ['an endless number', cube('LUT_3D_SIZE 2', ['0 1e999 0']), /^line 2 .*"1e999"/],
    ['missing vertices', cube('LUT_3D_SIZE 2', corners.slice(1)), /has 7 of the 8 vertices/],
    ['vertices too many', cube('LUT_3D_SIZE 2', [...corners, '1 1 1']), /^line 10 .*more values than the 8 vertices/],
    ['an empty domain', cube('LUT_3D_SIZE 2\nDOMAIN_MIN 0 1 0'), /DOMAIN_MAX greater than DOMAIN_MIN/],
    ['a domain of two numbers', 'DOMAIN_MIN 0 1', /^line 1 .*3 numbers for DOMAIN_MIN/],
    ['a long line', `TITLE ${'x'.repeat(cubeLimits.maxLineLength)}`, /^line 1 .*longer than 1024 characters/],
    ['another file', '\u0089PNG\r\n\u001a\n', /^line 1 .*unknown keyword "\?PNG"/],
  ])('refuses %s', (_, text, message) => {
    expect(() => parseCube(text)).toThrow(message);
  });
});
