import { type Schema, Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../src/errors/index.js';
import { parseCaptions } from '../../src/graphics/index.js';
import { checkTemplateScript, dropUnusedVariables, estimateMovie, mergeVariables, movieSchema, parseMovie } from '../../src/script/index.js';
import { mutatedScript, scriptFromSchema } from '../support/scripts-from-schema.js';

const isLong = process.env.FRAMEWRIGHT_TEST_LONG === '1';
/** A long run is as long as it is. */
if (isLong) vi.setConfig({ testTimeout: 900_000 });
const runs = (short: number, long: number): { numRuns: number } => ({ numRuns: isLong ? long : short });
/** Of processor time, for a script of up to 100 KB, on a slow and busy machine: a quiet one takes a fifth of it at most. What explodes takes far more. */
const maxMs = 1000;

/** What came of it, and how much processor time that took. */
function timed<T>(work: () => T): { value: T; ms: number } {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: (user + system) / 1000 };
}

/** The error, if any; fails on what is none of ours or says too little or too much. */
function refusalOf(work: () => unknown): AppError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('SCHEMA_VALIDATION_ERROR');
    expect(error.path).toBeTypeOf('string');
    expect(error.message.length).toBeLessThan(1500);
    return error;
  }
}

const submit = (script: unknown): AppError | undefined =>
  refusalOf(() => {
    estimateMovie(parseMovie(script));
    dropUnusedVariables(script);
  });

/** The slower of two measurements in a row would be a pause of the collector. */
function expectQuick(name: string, work: () => unknown): void {
  const first = timed(work).ms;
  const ms = first < maxMs ? first : Math.min(first, timed(work).ms, timed(work).ms);
  expect(ms, name).toBeLessThan(maxMs);
}

describe('scripts generated from the schema', () => {
  // All of 2020-12 that the schema needs, by two authors.
  const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, ownProperties: true }).compile(movieSchema);
  const other = new Validator(movieSchema as Schema, '2020-12');

  test('are judged alike by two validators', () => {
    const seen = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(fc.oneof(scriptFromSchema, mutatedScript), (script) => {
        const plain = JSON.parse(JSON.stringify(script)) as unknown;
        const isValid = ajv(plain);
        seen[isValid ? 'valid' : 'invalid'] += 1;
        expect(other.validate(plain).valid, JSON.stringify(ajv.errors?.[0])).toBe(isValid);
      }),
      runs(1500, 20_000),
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(isLong ? 1000 : 75);
  });

  test('are parsed or refused with a path, quickly and without leftovers', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(scriptFromSchema, mutatedScript), (script) => {
        const { value, ms } = timed(() => submit(script));
        if (value === undefined) accepted += 1;
        if (ms > maxMs) expectQuick(JSON.stringify(script).slice(0, 200), () => submit(script));
      }),
      runs(3000, 50_000),
    );
    expect(accepted).toBeGreaterThan(isLong ? 1000 : 100);
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(12);
    expect(Object.keys(Array.prototype)).toEqual([]);
  });

  test('are parsed or refused as templates with any variables', () => {
    const variables = fc.dictionary(fc.constantFrom('x', 'a', 'b', 'constructor', 'toString', '__proto__'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    fc.assert(
      fc.property(mutatedScript, variables, (script, values) => {
        const plain = JSON.parse(JSON.stringify(script)) as unknown;
        refusalOf(() => checkTemplateScript(plain, {}));
        refusalOf(() => parseMovie(mergeVariables(plain, values)));
      }),
      runs(1500, 20_000),
    );
  });
});

const repeat = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const text = (value: string) => ({ type: 'text', text: value });
const scene = (more: object = {}) => ({ duration: 1, ...more });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

/** Scripts of up to 100 KB that ask for much more than their size. */
const bombs: Record<string, () => unknown> = {
  'texts that double': () => ({
    variables: Object.fromEntries(many(40, (index) => [`v${index}`, index === 0 ? 'x'.repeat(9000) : `{{v${index - 1}}}{{v${index - 1}}}`])),
    scenes: [scene({ elements: [text('{{v39}}')] })],
  }),
  'an expression that doubles': () => ({ variables: { a: 'x'.repeat(9000) }, scenes: [scene({ elements: [text(`{{${'a + '.repeat(95)}a}}`)] })] }),
  'an expression in thousands of places': () => ({ variables: { a: 'x'.repeat(5000) }, scenes: [scene({ elements: many(450, () => text('{{a}}{{a}}')) })] }),
  'a text of placeholders': () => ({ variables: { a: 'x' }, scenes: [scene({ elements: many(9, () => text(repeat('{{a}} ', 9900))) })] }),
  'choices within choices': () => ({ variables: { a: 1 }, scenes: [scene({ elements: [text(`{{${'a ? '.repeat(30)}1${' : 0'.repeat(30)}}}`)] })] }),
  'brackets within brackets': () => ({ variables: { a: [0] }, scenes: [scene({ elements: [text(`{{a${'[a'.repeat(30)}[0]${']'.repeat(30)}}}`)] })] }),
  'open brackets': () => ({ variables: { a: 1 }, scenes: [scene({ elements: many(90, () => text(`{{${'('.repeat(990)}}}`)) })] }),
  'signs in a row': () => ({ variables: { a: 1 }, scenes: [scene({ elements: many(90, () => text(`{{${'-'.repeat(990)}a}}`)) })] }),
  'open braces': () => ({ variables: { a: 1 }, scenes: [scene({ elements: many(9, () => text('{{'.repeat(4900))) })] }),
  'braces and spaces': () => ({ variables: { a: 1 }, scenes: [scene({ elements: many(9, () => text(`{{${' '.repeat(9900)}`)) })] }),
  'iterations of everything': () => ({
    variables: { list: many(40_000, () => 1) },
    scenes: many(100, () => scene({ iterate: 'list', elements: [text('{{item}}')] })),
  }),
  'items that conditions leave out': () => ({
    variables: { list: many(20_000, (index) => index % 10) },
    scenes: [scene({ iterate: 'list', condition: '{{item > 9}}' })],
  }),
  'items of many iterations that conditions leave out': () => ({
    variables: { list: many(5000, (index) => index % 10) },
    scenes: many(900, () => scene({ iterate: 'list', condition: '{{item > 9}}' })),
  }),
  'imports of imports': () => ({
    scenes: many(100, (index) => scene({ id: `s${index}`, import: `s${index + 1}`, elements: many(5, () => text('a')) })).concat([
      scene({ id: 's100', elements: [] }) as never,
    ]),
  }),
  'imports in a circle': () => ({ scenes: many(300, (index) => scene({ id: `s${index}`, import: `s${(index + 1) % 300}`, elements: [] })) }),
  'imports of one large scene': () => ({
    scenes: [scene({ id: 'large', elements: many(400, () => text('a')) }), ...many(900, () => scene({ import: 'large' }))],
  }),
  'times that hang on each other': () => ({
    variables: { a: 1 },
    scenes: [scene({ elements: many(400, (index) => ({ ...text('a'), id: `e${index}`, start: index === 0 ? 0 : `{{e${index - 1}_end}}`, duration: 0.01 })) })],
  }),
  'times in a circle': () => ({
    variables: { a: 1 },
    scenes: [scene({ elements: many(400, (index) => ({ ...text('a'), id: `e${index}`, start: `{{e${(index + 1) % 400}_end}}` })) })],
  }),
  'times that each hang on all': () => ({
    variables: { a: 1 },
    scenes: [
      scene({
        elements: many(60, (index) => ({ ...text('a'), id: `e${index}`, start: `{{0${many(Math.min(index, 60), (other) => `+e${other}_end`).join('')}}}` })),
      }),
    ],
  }),
  'names that are nearly known': () => ({ scenes: [scene({ elements: many(500, (index) => ({ ...text('a'), [`fontt-sizee${index}`]: 1 })) })] }),
  'thousands of unknown names': () => ({ scenes: [scene()], ...Object.fromEntries(many(8000, (index) => [`k${index}`, 1])) }),
  'long names': () => ({ scenes: [scene()], ['k'.repeat(90_000)]: 1 }),
  'a colour of brackets': () => ({ scenes: [scene({ 'background-color': `rgb(${repeat('(', 9000)}` })] }),
  'a shadow without end': () => ({ scenes: [scene({ elements: [{ ...text('a'), settings: { 'text-shadow': repeat('1px 1px rgb(1,2,3),', 90_000) } }] })] }),
  'spaces in a shadow': () => ({ scenes: [scene({ elements: [{ ...text('a'), settings: { 'text-shadow': `1px${' '.repeat(90_000)}x` } }] })] }),
  'spaces in a length': () => ({ scenes: [scene({ elements: [{ ...text('a'), x: `1${' '.repeat(90_000)}px` }] })] }),
  'digits in a length': () => ({ scenes: [scene({ elements: [{ ...text('a'), width: `${'1'.repeat(45_000)}.${'1'.repeat(45_000)}x` }] })] }),
  'font families without end': () => ({ scenes: [scene({ elements: [{ ...text('a'), settings: { 'font-family': repeat('"a",', 60_000) } }] })] }),
  'keyframes by the thousand': () => ({
    scenes: [scene({ elements: [{ ...text('a'), keyframes: many(2500, (index) => ({ time: index / 2500, opacity: index % 2 })) }] })],
  }),
  'the smallest scenes': () => ({ scenes: many(1000, () => ({ duration: 0.04 })) }),
  'deep settings': () => ({ scenes: [scene({ elements: [{ type: 'component', component: 'basic/000', settings: nested(60) }] })] }),
  'deep variables': () => ({ variables: { a: nested(60) }, scenes: [scene({ elements: [text('{{a}}{{a.a.a.a}}')] })] }),
};

function nested(levels: number): object {
  return levels === 0 ? {} : { a: nested(levels - 1), b: [1, 2, 3] };
}

describe('a small script with excessive demands', () => {
  test.each(Object.entries(bombs))('%s', (name, make) => {
    const script = make();
    expect(JSON.stringify(script).length, name).toBeLessThan(110_000);
    submit({ scenes: [scene()] });
    expectQuick(name, () => submit(script));
    expectQuick(`${name}, as a template`, () => refusalOf(() => checkTemplateScript(script, {})));
    expectQuick(`${name}, filled`, () => refusalOf(() => mergeVariables(script, { a: 'y', item: 1 })));
  });
});

describe('captions', () => {
  const srt = '1\n00:00:01,000 --> 00:00:02,500 X1:1\n<i>Hello</i> <font color="#f00">you</font> {\\an8}\n\n2\n00:00:03,000 --> 00:00:04,000\nagain\n';
  const vtt = 'WEBVTT\n\nNOTE x\n\nSTYLE\n::cue{}\n\na\n00:01.000 --> 00:02.000 line:0 position:50%\n<v Bob><c.red>Hi <00:01.500>there</c></v>\n';
  const ass =
    '[Script Info]\nPlayResX: 640\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,{\\k20\\b1}Hi {\\pos(1,2)}you\\N!\n';

  /** Read again and again, and never worse than linear. */
  function read(bytes: string): void {
    const cues = parseCaptions(bytes);
    for (const { start, end } of cues) expect([Number.isFinite(start), end > start]).toEqual([true, true]);
  }

  test('are parsed with plausible times or refused after random changes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '-->',
        '00:00',
        '\n\n',
        '\r',
        '<',
        '>',
        '</',
        '{',
        '}',
        '\\',
        '&',
        '&#',
        '&amp;',
        ',',
        ':',
        '[Events]',
        'Format:',
        'Dialogue:',
        '\u0000',
        '\ufeff',
        '1',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    const edit = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 20 }), piece);
    fc.assert(
      fc.property(fc.constantFrom(srt, vtt, ass), fc.array(edit, { maxLength: 12 }), (seed, edits) => {
        read(edits.reduce<string>((so, [at, drop, insert]) => so.slice(0, at % (so.length + 1)) + insert + so.slice((at % (so.length + 1)) + drop), seed));
      }),
      runs(4000, 100_000),
    );
  });

  const long: Array<[name: string, bytes: string]> = [
    ['tags that never close', `1\n00:00:01,000 --> 00:00:02,000\n${repeat('<i', 90_000)}`],
    ['closed tags alone', `1\n00:00:01,000 --> 00:00:02,000\n${repeat('</i>', 90_000)}`],
    ['braces that never close', `1\n00:00:01,000 --> 00:00:02,000\n${repeat('{\\', 90_000)}`],
    ['entities', `1\n00:00:01,000 --> 00:00:02,000\n${repeat('&#', 90_000)}`],
    ['blank lines', repeat('\n \n', 90_000)],
    ['arrows', repeat('-->', 90_000)],
    ['times', repeat('00:00:01,000 --> 00:00:02,000\n', 90_000)],
    ['digits', `${repeat('1', 45_000)}:00 --> ${repeat('1', 45_000)}`],
    ['spaces before an arrow', `00:00:01,000${' '.repeat(90_000)}-> 00:00:02,000`],
    ['styles', `[V4+ Styles]\nFormat: Name\n${repeat('Style: A\n', 90_000)}`],
    ['dialogues of commas', `[Events]\nFormat: ${repeat('Text,', 40_000)}\nDialogue: ${repeat(',', 45_000)}`],
    ['fonts within fonts', `1\n00:00:01,000 --> 00:00:02,000\n${repeat('<font color=red>a', 90_000)}`],
  ];
  test.each(long)('of %s are parsed quickly', (name, bytes) => {
    expectQuick(name, () => read(bytes));
  });
});
