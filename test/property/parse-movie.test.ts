import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors/index.js';
import { estimateMovie, type Movie, parseMovie, resolveDurations } from '../../src/script/index.js';

/** Values that sit near the edges of what is allowed. */
const edgy = fc.oneof(
  fc.constantFrom(
    null,
    -2,
    -1,
    -0.5,
    0,
    1e-9,
    0.5,
    1,
    1.5,
    99,
    1e6,
    1e308,
    '',
    '0',
    '-1',
    ' 5 ',
    '1e5',
    '50%',
    '4vw',
    'px',
    '#fff',
    '#ggg',
    'red',
    'rgb(1,2,3)',
    'none',
    'center',
    'fade',
    '001',
    'http://x',
    {},
    [],
    [[]],
    true,
  ),
  fc.string({ maxLength: 12 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

const names = `type text src style settings font font_size font-size color background background-color position x y width height resize scale
  z-index opacity zoom pan pan-distance rotate crop start duration extra-time fade-in fade_out volume muted seek loop text-shadow
  padding line-height letter-spacing text-decoration font-weight transition elements id comment _x constructor __proto__ toString`.split(/\s+/);

const record = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> => fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 3 });
const sceneNames = ['duration', 'background', 'background-color', 'transition', 'id', 'comment'];

const nearlyElement = fc.tuple(fc.constantFrom('text', 'image', 'video', 'audio', 'voice'), record(fc.oneof(edgy, record(edgy)))).map(([type, more]) => ({
  ...{ type, ...(type === 'text' ? { text: 'x' } : { src: 'https://example.com/a' }) },
  ...more,
}));

const nearlyMovie = fc
  .tuple(
    fc.array(fc.tuple(fc.dictionary(fc.constantFrom(...sceneNames), edgy, { maxKeys: 1 }), fc.array(nearlyElement, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.dictionary(fc.constantFrom('width', 'height', 'fps', 'quality', 'resolution', 'webhook_uri', 'exports', 'elements', 'settings'), edgy, { maxKeys: 2 }),
  )
  .map(([scenes, more]) => ({ scenes: scenes.map(([scene, elements]) => ({ ...scene, elements })), ...more }));

function parsedOrRefused(script: unknown): Movie | undefined {
  try {
    return parseMovie(script);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('SCHEMA_VALIDATION_ERROR');
    expect(error.path).toBeTypeOf('string');
    expect(error.message).not.toMatch(/undefined|oneOf|anyOf|\[object/);
    expect(error.message.length).toBeLessThan(600);
    return undefined;
  }
}

const seconds = fc.double({ min: 0.001, max: 20, noNaN: true });
const duration = fc.oneof(seconds, fc.constantFrom(-1, -2));
const start = fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constant(-1));
const validElement = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string(), style: fc.constantFrom('001', '003', '006', '010', '011'), duration, start }),
  fc.record({ type: fc.constant('image'), src: fc.constant('https://example.com/a'), duration, start, zoom: fc.integer({ min: -10, max: 10 }) }),
  fc.record({
    type: fc.constant('video'),
    src: fc.constant('https://example.com/a'),
    duration,
    start,
    loop: fc.constantFrom(-1, 1, 3),
    seek: fc.integer({ min: -9, max: 9 }),
  }),
  fc.record({ type: fc.constant('audio'), src: fc.constant('https://example.com/a'), duration, start, volume: fc.double({ min: 0, max: 10, noNaN: true }) }),
);
const validMovie = fc.record(
  {
    fps: fc.oneof(fc.constantFrom(24, 25, 29.97, 30, 59.94), fc.double({ min: 1, max: 120, noNaN: true })),
    scenes: fc.array(fc.record({ duration: fc.oneof(seconds, fc.constant(-1)), elements: fc.array(validElement, { maxLength: 5 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
    elements: fc.array(validElement, { maxLength: 3 }),
  },
  { requiredKeys: ['scenes'] },
);

describe('parseMovie', () => {
  test('throws only AppError for any input', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true }),
        (garbage) => {
          parsedOrRefused(garbage);
          parsedOrRefused({ scenes: [garbage] });
          parsedOrRefused({ scenes: [{ elements: [garbage] }] });
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('parses a nearly valid script into a usable movie or refuses it', () => {
    let accepted = 0;
    fc.assert(
      fc.property(nearlyMovie, (script) => {
        const movie = parsedOrRefused(script);
        if (movie === undefined) return;
        accepted += 1;
        const numbers: unknown[] = [];
        JSON.stringify(movie, (key, value) => {
          if (key !== 'exports' && typeof value === 'number') numbers.push(value);
          return value;
        });
        expect(numbers.every(Number.isFinite)).toBe(true);
        expect((movie.width % 2) + (movie.height % 2)).toBe(0);
        expect(estimateMovie(movie).credits).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 5000 },
    );
    expect(accepted, 'the generator reaches both sides').toBeGreaterThan(100);
  });

  test('accepts valid scripts and gives the same movie for their JSON', () => {
    fc.assert(
      fc.property(validMovie, (script) => {
        expect(parseMovie(JSON.parse(JSON.stringify(script)))).toEqual(parseMovie(script));
      }),
      { numRuns: 1000 },
    );
  });
});

const pieces = fc.constantFrom(
  ...`a b list item _end a_end a_start b_duration missing __proto__ constructor ( ) [ ] [0] . .a ? : + - * / % == != < >= = && || ! and or not , min( max( length(
  "x" 'y ' " 0 1 2.5 1e308 true null 🎬 é ; $ { } {{ }}`.split(/\s+/),
);
const expression = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => `{{${parts.join(' ')}}}`),
  fc.string({ maxLength: 20 }).map((text) => `{{${text}}}`),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `x{{${text}}}{{a}}`),
);
const computed = fc.oneof(expression, expression, edgy);
const computedElement = fc
  .tuple(
    fc.constantFrom('a', 'b', 'c'),
    record(computed),
    fc.dictionary(fc.constantFrom('condition', 'variables', 'start', 'duration', 'extra-time'), computed),
  )
  .map(([id, more, controls]) => ({ type: 'text', text: 'x', id, ...more, ...controls }));
const computedScript = fc
  .tuple(
    fc.dictionary(fc.constantFrom('a', 'b', 'list', '__proto__', '@a', 'x y'), fc.oneof(edgy, fc.constant([1, { a: 2 }]))),
    fc.array(
      fc.tuple(
        fc.dictionary(
          fc.constantFrom('condition', 'iterate', 'iterate-as', 'import', 'variables', 'duration', 'id'),
          fc.oneof(computed, fc.constantFrom('list', 'a')),
          {
            maxKeys: 2,
          },
        ),
        fc.array(fc.oneof(computedElement, expression), { maxLength: 4 }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([variables, scenes]) => ({ variables, scenes: scenes.map(([scene, elements]) => ({ elements, ...scene })) }));

describe('computed scripts', () => {
  test('throw only AppError with a path in the script', () => {
    let accepted = 0;
    fc.assert(
      fc.property(computedScript, (script) => {
        accepted += parsedOrRefused(script) === undefined ? 0 : 1;
      }),
      { numRuns: 4000 },
    );
    expect(accepted, 'the generator reaches both sides').toBeGreaterThan(50);
  });

  test('throw only AppError when they are not scripts', () => {
    const garbage = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true });
    fc.assert(
      fc.property(garbage, garbage, expression, (first, second, text) => {
        parsedOrRefused({ variables: first, scenes: second, comment: text });
        parsedOrRefused({ variables: { a: first, b: second }, scenes: [{ id: text, elements: [second, { type: 'text', text, start: '{{b}}' }] }, '{{a}}'] });
        parsedOrRefused({ variables: { a: [first, second] }, scenes: [{ iterate: 'a', condition: text, variables: second, elements: '{{a}}' }] });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('resolveDurations', () => {
  test('places scenes without gaps and keeps everything inside its container', () => {
    const lengths = fc.option(fc.double({ min: 0.01, max: 60, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(validMovie, lengths, (script, naturalSeconds) => {
        const movie = parseMovie(script);
        const { scenes, elements, totalFrames } = resolveDurations(movie, () => naturalSeconds);
        let end = 0;
        for (const [index, scene] of scenes.entries()) {
          expect(scene.startFrame).toBe(end);
          expect(scene.frames).toBeGreaterThanOrEqual(1);
          expect(scene.elements).toHaveLength(movie.scenes[index]?.elements.length ?? -1);
          end += scene.frames;
        }
        expect(totalFrames).toBeGreaterThanOrEqual(end);
        for (const { spans, frames } of [
          { spans: elements, frames: totalFrames },
          ...scenes.map((scene) => ({ spans: scene.elements, frames: scene.frames })),
        ]) {
          for (const span of spans) {
            expect(Number.isInteger(span.startFrame) && Number.isInteger(span.frames)).toBe(true);
            expect(span.startFrame).toBeGreaterThanOrEqual(0);
            expect(span.frames).toBeGreaterThanOrEqual(span.startFrame < frames ? 1 : 0);
            expect(span.startFrame + span.frames).toBeLessThanOrEqual(frames);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
