import { expect, it } from 'vitest';
import { AppError } from '../../../../src/errors/index.js';
import { loadPacks } from '../../../../src/graphics/components/index.js';
import { checkWebUrl, parseMovie } from '../../../../src/script/index.js';

const packs = loadPacks(undefined);

/** Seconds of a scene that is as long as a component beside it is by itself. */
function counted(component: object, variables: object = {}): unknown {
  const scenes = [{ elements: [{ type: 'component', id: 'card', duration: -1, ...component }] }, { duration: '{{card_duration}}', elements: [] }];
  return parseMovie({ width: 640, height: 360, variables, scenes }, { checkUrl: checkWebUrl, components: packs }).scenes[1]?.duration;
}

it.each([
  ['its manifest\u2019s', { component: 'basic/050' }, 10],
  ['that of another manifest', { component: 'advanced/070', settings: { rating: { value: 4 } } }, 3],
  [
    'what its settings say',
    { component: 'advanced/060', settings: { counter: { duration: 2000 } } },
    packs.secondsOf('advanced/060', () => ({ counter: { duration: 2000 } })),
  ],
])('ID_duration of a component is %s', (_what, component, seconds) => {
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).not.toBe(5);
  expect(counted(component)).toBe(seconds);
});

it('the settings may hold expressions', () => {
  const longer = counted({ component: 'advanced/060', settings: { counter: { duration: '{{ms}}' } } }, { ms: 7000 });
  const shorter = counted({ component: 'advanced/060', settings: { counter: { duration: '{{ms}}' } } }, { ms: 4000 });
  expect(Number(longer) - Number(shorter)).toBe(3);
});

it('a component whose settings do not decide may use its own length in them', () => {
  expect(counted({ component: 'advanced/070', settings: { rating: { value: '{{card_duration}}' } } })).toBe(3);
});

it('a length that waits for itself is refused', () => {
  const circle = () => counted({ component: 'advanced/060', settings: { counter: { duration: '{{card_duration * 1000}}' } } });
  expect(circle).toThrow(AppError);
  expect(circle).toThrow(/Times depend on each other in a circle/);
});
