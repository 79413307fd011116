import { execFileSync, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { at30, openTestHtmlSprites, pageOf } from '../../../support/html-sprites.js';
import { processesWith } from '../../../support/process-tree.js';

const still = pageOf('<p>fine</p>', { path: 'scenes.0.elements.0' });
const endless = '<b id="t"></b><script>setInterval(()=>{t.textContent=Math.random()},1)</script>';

/** Processes of the browser's group. */
function groupOf(processId: number): number[] {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, group, state]) => Number(group) === processId && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid));
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); ) {
    if (Date.now() > end) throw new Error('it did not come to that');
    await sleep(20);
  }
}

describe('HTML pages that go wrong', () => {
  it('are ended when they never come to an end, and the next page is drawn', async () => {
    await using bench = await openTestHtmlSprites({ limits: { loadMs: 1500, stepMs: 1500 } });
    await expect(bench.sprites.draw(pageOf('<script>for(;;);</script>', { path: 'scenes.0.elements.2' }), at30(1))).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: 'scenes.0.elements.2: the page was not loaded within 1.5 s',
    });
    const later = pageOf('<script>setTimeout(()=>{for(;;);},100)</script>', { path: 'elements.0' });
    await expect(bench.sprites.draw(later, at30(1))).rejects.toMatchObject({ message: 'elements.0: the page did not draw a frame within 1.5 s' });
    expect((await bench.sprites.draw(still, at30(1))).kind).toBe('image');
    expect((await readdir(bench.folder)).filter((name) => name.endsWith('.part') || name.startsWith('page-'))).toEqual([]);
  });

  it('are drawn in a new browser when Chromium crashes', async () => {
    await using bench = await openTestHtmlSprites();
    await bench.sprites.draw(pageOf('<p>first</p>'), at30(1));
    const first = bench.sprites.processId as number;
    const drawing = bench.sprites.draw(pageOf(endless), at30(1));
    await sleep(150);
    process.kill(-first, 'SIGKILL');
    expect((await drawing).kind).toBe('sequence');
    expect(bench.sprites.processId).not.toBe(first);
    await until(() => groupOf(first).length === 0);
  });

  it.each([0, 60, 150])('are drawn in a new browser when Chromium dies %i ms after its start', async (ms) => {
    await using bench = await openTestHtmlSprites();
    const drawing = bench.sprites.draw(still, at30(1));
    const started = (): number[] => processesWith(bench.folder);
    await until(() => started().length > 0);
    await sleep(ms);
    const [first] = started();
    if (first !== undefined) process.kill(first, 'SIGKILL');
    const at = performance.now();
    expect((await drawing).kind).toBe('image');
    expect(performance.now() - at).toBeLessThan(15_000);
    expect((await readdir(bench.folder)).filter((name) => name.startsWith('chromium-')).length).toBe(1);
  });

  it('end with their job', async () => {
    await using bench = await openTestHtmlSprites();
    const stop = new AbortController();
    const drawing = bench.sprites.draw(pageOf(endless), { ...at30(100_000), signal: stop.signal });
    drawing.catch(() => {});
    await until(() => bench.sprites.processId !== undefined);
    const browser = bench.sprites.processId as number;
    stop.abort(new Error('cancelled'));
    await expect(drawing).rejects.toThrow('cancelled');
    await until(() => groupOf(browser).length === 0);
    expect(await readdir(bench.folder)).toEqual([]);
  });

  it('leave no process and no profile when they are done', async () => {
    await using bench = await openTestHtmlSprites();
    await bench.sprites.draw(still, at30(1));
    const browser = bench.sprites.processId as number;
    expect(groupOf(browser).length).toBeGreaterThan(2);
    await bench.sprites.close();
    await until(() => groupOf(browser).length === 0);
    expect((await readdir(bench.folder)).filter((name) => name.startsWith('chromium-'))).toEqual([]);
  });

  it('leave no process when the render process is killed', async () => {
    await using bench = await openTestHtmlSprites();
    const child = spawn(process.execPath, ['test/fixtures/workers/draws-html.mjs', bench.folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const browser = await new Promise<number>((resolve) => child.stdout.once('data', (line) => resolve(Number(String(line).trim()))));
    expect(groupOf(browser).length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await until(() => groupOf(browser).length === 0);
  });

  it('get a browser of their own after a number of pages', async () => {
    await using bench = await openTestHtmlSprites({ limits: { pagesPerBrowser: 2 } });
    const browsers: Array<number | undefined> = [];
    for (const text of ['1', '2', '3']) {
      await bench.sprites.draw(pageOf(text), at30(1));
      browsers.push(bench.sprites.processId);
    }
    expect(browsers[1]).toBe(browsers[0]);
    expect(browsers[2]).not.toBe(browsers[0]);
    await until(() => groupOf(browsers[0] as number).length === 0);
  });

  it('say what is missing when there is no Chromium', async () => {
    await using bench = await openTestHtmlSprites({ chromium: undefined });
    await expect(bench.sprites.draw(still, at30(1))).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringMatching(/^scenes\.0\.elements\.0: HTML elements need Chromium, which is not installed .*chromium-headless-shell/),
    });
    await using wrong = await openTestHtmlSprites({ chromium: '/bin/false' });
    await expect(wrong.sprites.draw(still, at30(1))).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringContaining('Chromium does not start'),
    });
  });
});
