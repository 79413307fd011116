import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at30, openTestHtmlSprites, pageOf, type TestHtmlSprites } from '../../../support/html-sprites.js';
import { centreOfInk, decodeSequence } from '../../../support/sequence-file.js';

const box = '<style>#box{position:absolute;left:0;top:20px;width:20px;height:20px;background:red}</style><div id="box"></div>';
/** 300 px in 2 s, linear. */
const moves: Record<string, string> = {
  'a CSS animation': `${box}<style>#box{animation:move 2s linear forwards}@keyframes move{to{transform:translateX(300px)}}</style>`,
  'an animation of the Web Animations API': `${box}<script>document.getElementById('box').animate([{},{transform:'translateX(300px)'}],{duration:2000,fill:'forwards'})</script>`,
  'a CSS transition': `${box}<style>#box{transition:transform 2s linear}.there{transform:translateX(300px)}</style><script>requestAnimationFrame(()=>{document.getElementById('box').offsetLeft;document.getElementById('box').classList.add('there')})</script>`,
  'requestAnimationFrame with performance.now': `${box}<script>const start=performance.now();(function step(){document.getElementById('box').style.transform='translateX('+Math.min(300,(performance.now()-start)*0.15)+'px)';requestAnimationFrame(step)})()</script>`,
  'setInterval with Date.now': `${box}<script>const start=Date.now();setInterval(()=>{document.getElementById('box').style.transform='translateX('+Math.min(300,(Date.now()-start)*0.15)+'px)'},20)</script>`,
};

describe("the clock of HTML pages is the movie's", () => {
  let first: TestHtmlSprites;
  let second: TestHtmlSprites;
  beforeAll(async () => {
    [first, second] = await Promise.all([openTestHtmlSprites(), openTestHtmlSprites()]);
  });
  afterAll(async () => {
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  it.each(Object.entries(moves))('moves %s to where the clock says at every frame, the same in another browser', async (name, html) => {
    const [one, other] = await Promise.all([first.sprites.draw(pageOf(html), at30(2.2)), second.sprites.draw(pageOf(html), at30(2.2))]);
    expect(one).toMatchObject({ kind: 'sequence', width: 400, height: 60, warnings: [] });
    const { frames, width } = decodeSequence(one.path);
    expect(frames).toHaveLength(66);
    const places = frames.map((pixels) => centreOfInk(pixels, width));
    // Between its ticks an interval's page stands still: what counts is the last one.
    const ticks = name.startsWith('setInterval') ? 50 : 30;
    const due = frames.map((_, k) => 10 + Math.min(300, (Math.floor((k / 30) * ticks + 1e-6) / ticks) * 150));
    expect(places.filter(({ x }, k) => Math.abs(x - (due[k] ?? 0)) > 0.5)).toEqual([]);
    const again = decodeSequence(other.path).frames;
    expect(frames.findIndex((pixels, k) => !pixels.equals(again[k] as Buffer))).toBe(-1);
  });
});
