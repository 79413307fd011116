import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { MAX_SUBSTITUTED_CHARACTERS, substitute } from '../../../src/script/index.js';

describe('substitute', () => {
  const variables = {
    name: 'Ada',
    n: 7,
    zero: 0,
    half: 0.5,
    yes: true,
    no: false,
    nothing: null,
    empty: '',
    list: [1, 'two'],
    object: { a: { b: 1 } },
    'grüße 世界 🎬': 'γειά',
    'with space': 'spaced',
    again: '{{name}}',
    dollar: "$& $1 $' $$",
    constructor: 'mine',
  };
  it.each([
    ['a text', 'Hello {{name}}!', 'Hello Ada!'],
    ['several in one text', '{{name}}/{{n}}/{{name}}', 'Ada/7/Ada'],
    ['a number alone keeps its type', '{{n}}', 7],
    ['zero', '{{zero}}', 0],
    ['a boolean alone', '{{no}}', false],
    ['null alone', '{{nothing}}', null],
    ['an empty text alone', '{{empty}}', ''],
    ['an array alone', '{{list}}', [1, 'two']],
    ['an object alone', '{{object}}', { a: { b: 1 } }],
    ['a number in a text', '{{n}}px', '7px'],
    ['booleans in a text', '{{yes}} or {{no}}', 'true or false'],
    ['null in a text', 'a{{nothing}}b', 'ab'],
    ['structures in a text', 'v={{list}} {{object}}', 'v=[1,"two"] {"a":{"b":1}}'],
    ['spaces around the name', '{{  n }}', 7],
    ['line ends around the name', '{{\n\tname\r\n}}', 'Ada'],
    ['a space beside the placeholder makes it a text', ' {{n}}', ' 7'],
    ['names of any letters', '{{grüße 世界 🎬}}', 'γειά'],
    ['names with spaces inside', '{{with space}}', 'spaced'],
    ['a missing variable alone', '{{missing}}', '{{missing}}'],
    ['a missing variable in a text', '{{missing}} and {{ name}}', '{{missing}} and Ada'],
    ['a missing variable as written', '{{ missing }}', '{{ missing }}'],
    ['one pass only', '{{again}}', '{{name}}'],
    ['one pass only, in a text', '<{{again}}>', '<{{name}}>'],
    ['replacement patterns are plain text', 'x{{dollar}}', "x$& $1 $' $$"],
    ['single braces', '{name} {{name}', '{name} {{name}'],
    ['three braces', '{{{name}}}', '{Ada}'],
    ['nothing between the braces', '{{}}', '{{}}'],
    ['names of every object, not given', '{{toString}} {{__proto__}} {{hasOwnProperty}}', '{{toString}} {{__proto__}} {{hasOwnProperty}}'],
    ['names of every object, given', '{{constructor}}', 'mine'],
  ])('%s', (_name, text, expected) => {
    expect(substitute(text, variables)).toEqual(expected);
    expect(substitute({ scenes: [{ elements: [[{ deep: text }]] }] }, variables)).toEqual({ scenes: [{ elements: [[{ deep: expected }]] }] });
  });

  it('leaves keys, numbers and the script itself as they are', () => {
    const script = { '{{name}}': '{{name}}', n: 1, flag: false, nothing: null };
    expect(substitute(script, variables)).toEqual({ '{{name}}': 'Ada', n: 1, flag: false, nothing: null });
    expect(script['{{name}}']).toBe('{{name}}');
  });

  it('sets no prototype, whatever keys and variables are called', () => {
    const script: unknown = JSON.parse('{"__proto__": {"polluted": "{{__proto__}}"}}');
    const own: Record<string, unknown> = JSON.parse('{"__proto__": "own"}');
    const filled = substitute(script, own) as object;
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"polluted":"own"}}');
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('bounds what can grow out of few bytes', () => {
    const large = 'x'.repeat(100_000);
    const script = { scenes: Array.from({ length: 60 }, () => ({ comment: '{{large}}' })) };
    const expectTooLong = (variables: Record<string, unknown>, text: string) => {
      const filling = () => substitute({ scenes: script.scenes.map(() => ({ comment: text })) }, variables);
      expect(filling).toThrow(AppError);
      expect(filling).toThrow(String(MAX_SUBSTITUTED_CHARACTERS));
      expect(filling).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_ERROR', path: 'scenes.52.comment' }));
    };
    expectTooLong({ large }, '{{large}}');
    expectTooLong({ large: [large] }, '{{large}}');
    expectTooLong({ large }, `a{{large}}`);
    expect(() => substitute('{{large}}'.repeat(60), { large })).toThrow(AppError);
  });

  // Work that grows with the square of the text would take minutes, which is beyond a test's time.
  it('takes time in proportion to the text', () => {
    for (const piece of ['{{', '{{a', '}}', '{{{{a}}', '{ {']) substitute(piece.repeat(500_000), variables);
  });
});
