import { describe, expect, test } from 'vitest';
import { engineEasings } from '../../../../src/graphics/boxes/curves.js';
import { easingNames, findEasing } from '../../../../src/graphics/components/easing.js';
import { ease } from '../../../../src/script/animation/easing.js';

const steps = Array.from({ length: 41 }, (_, i) => i / 40);

describe.each(easingNames)('%s', (name) => {
  const own = findEasing(name);

  test('begins at 0 and ends at 1', () => {
    expect(own?.(0)).toBeCloseTo(0, 3);
    expect(own?.(1)).toBeCloseTo(1, 3);
  });
});

test.each(easingNames.filter((name) => engineEasings.test(name)))('%s is what the engine means by that name', (name) => {
  // The engine's exponential curves jump by a thousandth at their end.
  for (const t of steps) expect(findEasing(name)?.(t) ?? Number.NaN).toBeCloseTo(name === 'linear' ? t : ease(name, t), 2);
});

test('curves with parameters', () => {
  expect(findEasing('cubicBezier(0.25, 0.1, 0.25, 1)')?.(0.5)).toBeCloseTo(0.8024, 3);
  expect(findEasing('cubic-bezier(0,0,1,1)')?.(0.3)).toBeCloseTo(0.3, 4);
  expect(findEasing('steps(4)')?.(0.6)).toBe(0.5);
  expect(findEasing('easeOutElastic(1, .6)')?.(0.5)).toBeCloseTo(0.984, 2);
});

test.each(['', 'easeOutCubix', 'easeCubic', 'cubicBezier(a,b)', 'toString', 'constructor'])('%j is none', (name) => {
  expect(findEasing(name)).toBeUndefined();
});
