import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHtmlSprites } from '../../../../src/graphics/index.js';
import { at30, openTestHtmlSprites, pageOf, type TestHtmlSprites } from '../../../support/html-sprites.js';

/** A page's own limits are 30 s and more; what is noticed at once ends well before them, on a busy machine too. */
const soonMs = 8000;

const unwilling: Array<[what: string, html: string, expected: RegExp]> = [
  ['leaves for an empty page', '<script>location.href="about:blank"</script>', /navigated to about:blank/],
  ['leaves for one while it is drawn', '<p>x<script>setTimeout(()=>location.replace("about:blank"),300)</script>', /navigated to about:blank/],
  ['is refreshed into one', '<meta http-equiv="refresh" content="0.5;url=about:blank"><p>x', /navigated to about:blank/],
  ['is sent there by a frame', `<iframe srcdoc="<script>top.location='about:blank'</script>"></iframe>`, /navigated to about:blank/],
  ['loads itself for ever', '<script>location.reload()</script>', /reloads or navigates more than 20 times/],
  ['opens dialogs without end', '<script>for(;;)alert(1)</script>', /more than 300 dialogs/],
  ['opens them by and by', '<p>x<script>setInterval(()=>{while(!confirm("?"));},50)</script>', /more than 300 dialogs/],
  ['says something without end', '<p>x<script>for(;;)console.error("x".repeat(500))</script>', /writes more than 20000 console messages/],
  [
    'asks for files without end',
    '<p>x<script>setInterval(()=>{for(let i=0;i<500;i++)fetch("http://192.0.2.1/"+i).catch(()=>{})},1)</script>',
    /makes more than \d+ requests/,
  ],
];

describe('A page fails at once when it', () => {
  // One after the other in the same bench: what one of them leaves behind is the next one's trouble.
  let bench: TestHtmlSprites;
  beforeAll(async () => {
    bench = await openTestHtmlSprites();
    await bench.sprites.draw(pageOf('<p>warm</p>'), at30(1 / 30));
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it.each(unwilling)('%s', async (_what, html, expected) => {
    const at = performance.now();
    await expect(bench.sprites.draw(pageOf(html, { path: 'scenes.0.elements.1' }), at30(2))).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringMatching(new RegExp(`^scenes\\.0\\.elements\\.1: the page.*${expected.source}`)),
    });
    expect(performance.now() - at).toBeLessThan(soonMs);
    expect((await bench.sprites.draw(pageOf('<p>next</p>'), at30(1 / 30))).kind).toBe('image');
    expect((await readdir(bench.folder)).filter((name) => name.endsWith('.part') || name.startsWith('page-'))).toEqual([]);
  });
});

describe('A page is drawn all the same when it', () => {
  let bench: TestHtmlSprites;
  beforeAll(async () => {
    bench = await openTestHtmlSprites();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it.each([
    ['closes itself', '<p>x<script>close();setTimeout(()=>close(),200)</script>'],
    ['goes back to where it did not come from, once it is there', '<p>x<script>setTimeout(()=>history.go(-1),200)</script>'],
    ['loads itself once', '<p>x<script>if(!sessionStorage.a){sessionStorage.a=1;location.reload()}</script>'],
    ['says much, but does more than that', '<p>x<script>let n=0;setInterval(()=>{if(n++<40)for(let i=0;i<100;i++)console.error(i)},20)</script>'],
    ['says something now and then', '<p>x<script>alert(1);setTimeout(()=>alert(2),100)</script>'],
  ])('%s', async (_what, html) => {
    const at = performance.now();
    expect((await bench.sprites.draw(pageOf(html), at30(1))).path).not.toBe('');
    expect(performance.now() - at).toBeLessThan(soonMs);
  });
});

it('a page takes no more memory than it may', async () => {
  const bench = await openTestHtmlSprites();
  const sprites = createHtmlSprites({ folder: bench.folder, chromium: '/usr/bin/chromium-headless-shell', memoryMb: 512, limits: { loadMs: 60_000 } });
  try {
    const drawn = await sprites.draw(pageOf('<p>x<script>const kept=[];for(;;)kept.push(new Uint8Array(2e7).fill(1))</script>'), at30(1 / 30));
    expect(drawn.warnings.join()).toMatch(/allocation failed/);
    const nodes = '<p>x<script>for(;;)document.body.append(document.createElement("div"),"text of some length ".repeat(500))</script>';
    await expect(sprites.draw(pageOf(nodes), at30(1 / 30))).rejects.toMatchObject({ message: expect.stringMatching(/exceeded its memory limit of 512 MB/) });
  } finally {
    await sprites.close();
    await bench[Symbol.asyncDispose]();
  }
}, 150_000);

it('a page that is slow on purpose is not drawn for ever', async () => {
  await using bench = await openTestHtmlSprites({ limits: { pageMs: 1500, frameMs: 10 } });
  const slow = '<b id="t"></b><script>setInterval(()=>{const end=performance.now();for(let i=0;i<3e8;i++);t.textContent=Math.random()},30)</script>';
  await expect(bench.sprites.draw(pageOf(slow), at30(10))).rejects.toMatchObject({ message: expect.stringMatching(/was not drawn within 5 s/) });
});

it('pages fill no disk: what their images take together is bounded', async () => {
  await using bench = await openTestHtmlSprites({ limits: { imageBytes: 3 * 1024 ** 2 } });
  const noise = `<canvas id="c" width="200" height="200"></canvas><script>setInterval(()=>{const x=c.getContext('2d'),d=x.createImageData(200,200);
    for(let i=0;i<d.data.length;i++)d.data[i]=i%4===3?255:Math.random()*256;x.putImageData(d,0,0)},10)</script>`;
  const page = (label: string) => pageOf(noise, { path: label, width: 200, height: 200 });
  expect((await bench.sprites.draw(page('first'), at30(0.6))).kind).toBe('sequence');
  await expect(bench.sprites.draw(page('second'), at30(1.5))).rejects.toMatchObject({
    message: expect.stringMatching(/^second: the frames of all pages of the movie exceed the limit of 3 MiB/),
  });
  expect((await readdir(bench.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});
