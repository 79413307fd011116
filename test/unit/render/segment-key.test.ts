import { expect, it } from 'vitest';
import { segmentKey } from '../../../src/render/encode/segment-key.js';
import { TestTimeline } from '../../support/scenery.js';

it('packets are the same by whatever way their frames came to the encoder', async () => {
  const timeline = new TestTimeline('nowhere').timeline(64, 48, { clips: [] });
  const keyOf = (changes: object): Promise<string> =>
    segmentKey({ timeline: { ...timeline, ...changes }, range: { first: 0, end: 1 } }, 'engine', {
      hashOf: () => Promise.resolve(''),
      isUnchanged: () => Promise.resolve(true),
    });
  for (const handover of ['off', 'copy'] as const) expect(await keyOf({ handover })).toBe(await keyOf({}));
  expect(await keyOf({ hardwareDecode: 'on' })).toBe(await keyOf({}));
  expect(await keyOf({ compositor: 'cpu' })).not.toBe(await keyOf({}));
});
