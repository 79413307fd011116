import { describe, expect, it } from 'vitest';
import { cycleFrames } from '../../../../src/graphics/html/recording/cycle.js';
import { at30, openTestHtmlSprites, pageOf } from '../../../support/html-sprites.js';
import { centreOfInk, decodeSequence, readSequence } from '../../../support/sequence-file.js';

describe('endless animations', () => {
  it('begin anew after whole frames, when they do', () => {
    const fps30 = { num: 30, den: 1 };
    expect(cycleFrames([1000], fps30)).toBe(30);
    expect(cycleFrames([1000, 1500], fps30)).toBe(90);
    expect(cycleFrames([700], fps30)).toBe(21);
    expect(cycleFrames([10], fps30)).toBe(3);
    expect(cycleFrames([1000], { num: 30000, den: 1001 })).toBeUndefined();
    expect(cycleFrames([], fps30)).toBeUndefined();
  });

  it('are drawn for one round and stand in the sequence for all', async () => {
    await using bench = await openTestHtmlSprites();
    const html =
      '<style>i{position:absolute;left:0;width:10px;height:10px;background:red;animation:m 1s linear infinite alternate}@keyframes m{to{transform:translateX(150px)}}</style><i></i>';
    const { path } = await bench.sprites.draw(pageOf(html), at30(60));
    const { shown, images } = readSequence(path);
    expect(shown).toHaveLength(1800);
    expect(images.length).toBeLessThanOrEqual(66);
    const { frames, width } = decodeSequence(path);
    const wrong = frames.map((pixels, k) => {
      const phase = (k / 30) % 2;
      return Math.abs(centreOfInk(pixels, width).x - 5 - 150 * (phase > 1 ? 2 - phase : phase));
    });
    expect(Math.max(...wrong)).toBeLessThan(0.5);
  });
});
