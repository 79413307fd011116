import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSyntaxError, locateValues, locationAt } from '../../../src/script/source-locations.js';

const errorOf = (text: string): string => {
  const { error } = locateValues(text);
  if (error === undefined) return 'none';
  const { line, column } = locationAt(text, error.offset);
  return `${line}:${column} ${error.expected}`;
};

describe('places in a JSON text', () => {
  it('are those of the values', () => {
    const text = '{\n  "scenes": [\n    { "duration": 2,\n      "elements": [] },\n    {}\n  ]\n}';
    const { values, error } = locateValues(text);
    expect(error).toBeUndefined();
    const placeOf = (path: string) => locationAt(text, values.get(path) ?? -1);
    expect(placeOf('')).toEqual({ line: 1, column: 1 });
    expect(placeOf('scenes.0.duration')).toEqual({ line: 3, column: 19 });
    expect(placeOf('scenes.0.elements')).toEqual({ line: 4, column: 19 });
    expect(placeOf('scenes.1')).toEqual({ line: 5, column: 5 });
    expect(values.size).toBe(6);
  });

  it.each([
    ['{"a": 1,}', '1:9 a name in double quotes'],
    ['{"a": 1\n "b": 2}', "2:2 ',' or '}'"],
    ['[1 2]', "1:4 ',' or ']'"],
    ["{'a': 1}", '1:2 a name in double quotes'],
    ['{"a" 1}', "1:6 ':' after the name"],
    ['{"a": tru}', '1:7 a value'],
    ['{"a": "x\n"}', '1:7 a text that ends on its line'],
    ['[1]\n[2]', '2:1 nothing after the end of the script'],
    ['', '1:1 a value'],
    ['{"scenes": [', '1:13 a value'],
    ['// no\n{}', '1:1 a value'],
    ['['.repeat(100_000), '1:502 at most 500 levels'],
  ])('of %j: %s', (text, expected) => {
    expect(errorOf(text)).toBe(expected);
  });

  it('describes what was expected and what was found', () => {
    expect(findSyntaxError('{"scenes": [\n  {"duration": 1},\n]}', 'the body')).toEqual({ line: 3, column: 1, message: 'expected a value, but there is "]}"' });
    expect(findSyntaxError('{"scenes": [1', 'the body')).toMatchObject({ message: "expected ',' or ']', but the body ends" });
    expect(findSyntaxError('{"a": 1}', 'the body')).toBeUndefined();
    expect(findSyntaxError(`["${'x'.repeat(8_000_000)}" 1]`, 'the body') ?? 'too long to tell').toBeDefined();
  });

  it('there is a error where JSON.parse() finds one, and nowhere else', () => {
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', '\\', '1', 'x', '\n')).map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + 1);
    });
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        return (locateValues(text).error === undefined) === isJson;
      }),
      { numRuns: 1000 },
    );
  });
});
