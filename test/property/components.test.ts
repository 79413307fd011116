import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../src/errors/index.js';
import { loadPacks } from '../../src/graphics/components/index.js';

const packs = loadPacks(undefined);
const components = packs.packs.flatMap((pack) => pack.components);

const values = [
  '',
  '0',
  '-5px',
  '1e9px',
  '100%',
  'auto',
  'none',
  'red',
  '#12',
  'url(x)',
  'linear-gradient(to left top, red 10%, blue)',
  '1px solid red',
  'constructor',
];
const anyValue = fc.oneof(fc.constantFrom<unknown>(...values, 0, 5, -3, true, null, [], ['a', 'b'], {}, 'easeOutElastic(1, .6)'), fc.string(), fc.double());

test('any settings are accepted or refused with a path', () => {
  const cases = fc.constantFrom(...components).chain((component) => {
    const groups = [...Object.keys(component.settings.properties ?? {}), 'rectangle1', 'polygon2', 'item3', 'constructor', '__proto__'];
    const keys = [
      ...Object.values(component.settings.properties ?? {}).flatMap((group) => Object.keys(group.properties ?? {})),
      'text',
      'border',
      'padding',
      'toString',
    ];
    const group = fc.oneof({ weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...keys), anyValue, { maxKeys: 3 }) }, { weight: 1, arbitrary: anyValue });
    return fc.tuple(fc.constant(component.id), fc.dictionary(fc.constantFrom(...groups), group, { maxKeys: 4 }));
  });
  fc.assert(
    fc.property(cases, ([id, settings]) => {
      try {
        packs.check(id, settings, 'e');
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect((error as AppError).path).toMatch(/^e\.settings/);
      }
    }),
    { numRuns: 1500 },
  );
});
