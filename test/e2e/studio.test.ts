import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { temporaryFolder } from '../support/cli.js';
import { createKey, type RunningService, startService } from '../support/service.js';

/** Runs the page in a browser against a real service, without mocks. */

const executablePath = loadConfig(process.env).html.chromium ?? '';
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const patience = 30_000;

const movieOf = (background: string, more: object = {}) => ({
  width: 320,
  height: 180,
  fps: 10,
  scenes: [
    { duration: 1, background, elements: [{ type: 'text', text: 'One', font_size: 40, x: 0, y: 0, width: 120, height: 60, ...more }] },
    { duration: 1, background: '#20a040' },
  ],
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningService;
let browser: Browser;
let key: string;
/** Console errors of all pages, apart from refused requests, which tests cause on purpose. */
const complaints: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(folder.path, { FRAMEWRIGHT_WORKERS: '1' });
  key = await createKey(folder.path, { plan: 'enterprise' });
  const args = ['--disable-gpu', '--autoplay-policy=no-user-gesture-required', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  browser = await chromium.launch({ executablePath, args });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await folder.remove();
});

interface Visit {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  script?: unknown;
}

/** A new page that is signed in. */
async function visit({ width = 1360, height = 800, theme = 'light', script }: Visit = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce', acceptDownloads: true });
  context.setDefaultTimeout(patience);
  const page = await openPage(context);
  const text = script === undefined ? undefined : JSON.stringify(script, undefined, 2);
  await page.addInitScript(
    ([given, written]) => {
      sessionStorage.setItem('framewright.key', given);
      if (written !== undefined && sessionStorage.getItem('framewright.script') === null) sessionStorage.setItem('framewright.script', written);
    },
    [key, text] as const,
  );
  await page.goto(service.url);
  await page.locator('.picture[data-count]').waitFor();
  return page;
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/status of 4\d\d/.test(message.text()))
      complaints.push(`${expect.getState().currentTestName}: ${message.text()} ${JSON.stringify(message.location())}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('blob:')) complaints.push(`asked ${request.url()}`);
  });
  return page;
}

/** Waits until the centre of the preview has approximately this colour. */
async function seesColour(page: Page, red: number, green: number, blue: number): Promise<void> {
  await page.waitForFunction(
    ([r, g, b]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.picture');
      const sample = new OffscreenCanvas(1, 1).getContext('2d');
      if (canvas === null || sample === null) return false;
      sample.drawImage(canvas, canvas.width / 2, canvas.height * 0.8, 1, 1, 0, 0, 1, 1);
      const pixel = sample.getImageData(0, 0, 1, 1).data;
      return [r, g, b].every((value, index) => Math.abs(value - (pixel[index] ?? -99)) < 14);
    },
    [red, green, blue] as const,
  );
}

/** Replaces the script in the editor by pasting. */
async function write(page: Page, script: unknown): Promise<void> {
  await page.locator('.cm-content').press('Control+A');
  await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    typeof script === 'string' ? script : JSON.stringify(script, undefined, 2),
  );
}

describe('Studio', () => {
  it('requires a valid key', async () => {
    const page = await openPage(await browser.newContext());
    await page.goto(service.url);
    const field = page.getByLabel('API key');
    await field.fill('ve_live_wrong');
    await field.press('Enter');
    await page.getByText('The service does not know this key.').waitFor();
    await field.fill(key);
    await page.getByRole('button', { name: 'Open Studio' }).click();
    await page.locator('.picture[data-count]').waitFor();
    expect(await page.evaluate(() => [sessionStorage.getItem('framewright.key'), localStorage.length])).toEqual([key, 0]);
    // The first view shows an example with its scenes and a thumbnail of each on the timeline.
    await page
      .getByRole('button', { name: /^Scene 2/ })
      .locator('.still')
      .waitFor();
    await page.getByRole('button', { name: 'Use another key' }).click();
    await field.waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('framewright.key'))).toBeNull();
    await page.context().close();
  });

  it('previews the script, renders it and plays the video', async () => {
    const page = await visit({ script: movieOf('#c02020') });
    await seesColour(page, 0xc0, 0x20, 0x20);
    await write(page, movieOf('#2040c0'));
    await seesColour(page, 0x20, 0x40, 0xc0);
    // Selects the second scene by its bar.
    await page.getByRole('button', { name: /^Scene 2/ }).click();
    await seesColour(page, 0x20, 0xa0, 0x40);

    await page.getByRole('button', { name: 'Renders' }).click();
    const credits = page.locator('.top .credits b');
    await page.getByRole('button', { name: /^Render 2/ }).click();
    await page.locator('.jobs li[data-status=completed]').waitFor();
    const video = page.locator('video');
    await video.waitFor();
    await video.evaluate((clip: HTMLVideoElement) => clip.play());
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);
    expect(await video.evaluate((clip: HTMLVideoElement) => [clip.videoWidth, clip.videoHeight, clip.readyState >= 2, Math.round(clip.duration)])).toEqual([
      320,
      180,
      true,
      2,
    ]);
    expect(await credits.textContent()).toBe('998');
    const saving = page.waitForEvent('download');
    await page.locator('.transport').getByRole('link', { name: 'Download' }).click();
    const file = await readFile(await (await saving).path());
    expect(file.subarray(4, 8).toString()).toBe('ftyp');
    // Typing shows the preview again.
    await write(page, movieOf('#c02020'));
    await page.locator('.picture').waitFor();
    await page.context().close();
  });

  it('shows errors at their position and escapes foreign text', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const page = await visit({ script: movieOf('#c02020') });
    const script = { ...movieOf('#c02020', { text: evil, color: evil }) };
    await write(page, script);
    const line = JSON.stringify(script, undefined, 2)
      .split('\n')
      .findIndex((text) => text.includes('"color"'));
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await page.locator('.cm-line').nth(line).locator('.cm-lintRange-error').count()).toBeGreaterThan(0);
    const problem = page.locator('.problem');
    expect(await problem.locator('code').textContent()).toBe('scenes.0.elements.0.color');
    await problem.getByRole('button', { name: 'Show' }).click();
    expect(await page.locator('.cm-activeLineGutter').allTextContents()).toContain(String(line + 1));
    expect(await page.locator('.top .main-action').isDisabled()).toBe(true);

    await write(page, '{ "scenes": [');
    await problem.getByText('This is not JSON yet.').waitFor();
    await write(page, movieOf('#2040c0', { text: evil }));
    await seesColour(page, 0x20, 0x40, 0xc0);
    await page.locator('.problem[data-shown]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `text: ${evil}` }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    await page.context().close();
  });

  it('completes property names and values of the schema', async () => {
    const page = await visit({ script: movieOf('#c02020') });
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.type('\n"qual');
    const options = page.locator('.cm-tooltip-autocomplete [role=option]');
    await options.getByText('quality').waitFor();
    // The list ignores keys for a moment after it opens.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await options.getByText('medium').waitFor();
    expect(await options.allTextContents()).toEqual(['low', 'medium', 'high']);
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /"quality": "low",\s*"width": 320/.test(document.querySelector('.cm-content')?.textContent ?? ''));
    await page.locator('.problem[data-shown]').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('inserts from the gallery, fills in variables and saves a template', async () => {
    const page = await visit({ script: movieOf('#c02020') });
    await page.getByRole('button', { name: 'Gallery' }).click();
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.locator('.card img').first().waitFor();
    await page.getByRole('button', { name: '004' }).click();
    await page.getByRole('tab', { name: 'Animations' }).click();
    await page.getByRole('button', { name: 'mask-reveal' }).click();
    await page.getByRole('tab', { name: 'Captions' }).click();
    await page.getByRole('button', { name: 'karaoke-fill' }).click();
    // A card that is pointed at shows its motion.
    const card = page.getByRole('button', { name: 'bounce' });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await card.hover();
    const shown = new Set<string>();
    await expect.poll(async () => shown.add((await card.locator('img').getAttribute('src')) ?? '').size, { timeout: 20_000 }).toBeGreaterThan(3);
    await page.getByRole('tab', { name: 'Transitions' }).click();
    await page.getByRole('button', { name: 'radial' }).click();
    await page.getByRole('button', { name: /^Scene 2, radial/ }).waitFor();
    await page.getByRole('tab', { name: 'Components' }).click();
    await page.getByRole('button', { name: /^One-line lower third/ }).click();
    await page.getByRole('button', { name: /^component: basic\/052/ }).waitFor();
    const written = JSON.parse(await page.evaluate(() => sessionStorage.getItem('framewright.script') ?? ''));
    // The cursor is in the inserted text, which the animation is set on.
    expect(written.scenes[0].elements[1]).toMatchObject({ type: 'text', style: '004', animate: { in: 'mask-reveal', out: 'mask-reveal' } });
    expect(written.scenes[0].elements[2]).toMatchObject({ type: 'subtitles', settings: { style: 'karaoke-fill' } });
    expect(written.scenes[1].transition).toEqual({ style: 'radial', duration: 1 });
    expect(written.scenes.flatMap((scene: { elements?: Array<{ component?: string }> }) => scene.elements?.map(({ component }) => component) ?? [])).toContain(
      'basic/052',
    );

    await write(page, { variables: { ground: '#c02020' }, ...movieOf('{{ground}}') });
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.getByLabel('ground').fill('#2040c0');
    await seesColour(page, 0x20, 0x40, 0xc0);
    await page.getByLabel('Name of the template').fill('Card');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.rows .row').getByText('Card').waitFor();
    const answer = await fetch(`${service.url}/api/templates`, { headers: { 'x-api-key': key } });
    expect(await answer.json()).toMatchObject({ templates: [{ name: 'Card' }] });
    await page.context().close();
  });

  it('works with the keyboard alone', async () => {
    const page = await visit({ script: movieOf('#c02020') });
    const clock = page.locator('.clock b');
    const says = (time: string) => page.waitForFunction((wanted) => document.querySelector('.clock b')?.textContent === wanted, time);
    await page.locator('.bar').first().waitFor();
    await page.keyboard.press('End');
    await says('0:01.90');
    await seesColour(page, 0x20, 0xa0, 0x40);
    await page.keyboard.press('ArrowLeft');
    await says('0:01.80');
    await page.keyboard.press('Home');
    await says('0:00.00');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await says('0:01.90');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(await clock.textContent()).toBe('0:01.90');

    // Every focus stop of the page is visible, and the editor does not trap the focus.
    const stops: string[] = [];
    for (let count = 0; count < 40 && !stops.includes('bar'); count += 1) {
      await page.keyboard.press('Tab');
      stops.push(await page.evaluate(() => document.activeElement?.className.split(' ')[0] ?? ''));
      const { outline, focused } = await page.evaluate(() => {
        const at = document.activeElement as HTMLElement;
        return { outline: getComputedStyle(at).outlineStyle, focused: at.matches(':focus-visible') };
      });
      expect([stops.at(-1), focused]).toEqual([stops.at(-1), true]);
      if (!['cm-content', 'scrubber'].includes(stops.at(-1) ?? '')) expect([stops.at(-1), outline]).not.toEqual([stops.at(-1), 'none']);
    }
    expect(stops).toEqual(expect.arrayContaining(['main-action', 'cm-content', 'scrubber', 'play', 'bar']));
    // The stops are scene 1, scene 2 and the text; Enter moves to its position in the script.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^text: One/);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    expect(await page.locator('.bar[data-active]').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('data-kind')))).toEqual(['scene', 'text']);
    await page.keyboard.press('Control+Enter');
    await page.locator('[role=status]').getByText('Render complete, the video is ready').waitFor({ state: 'attached' });
    await page.context().close();
  });

  it('fits the screen of a phone', async () => {
    for (const width of [320, 390]) {
      const page = await visit({ width, height: 700, script: movieOf('#c02020') });
      await page.locator('.bar').first().waitFor();
      for (const name of ['Script', 'Gallery', 'Variables', 'Renders']) {
        await page.getByRole('navigation').getByRole('button', { name }).click();
        expect([width, name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([width, name, width]);
      }
      await page.context().close();
    }
  });

  it.each(['light', 'dark'] as const)('has no barriers that axe knows, %s', async (theme) => {
    const page = await visit({ theme, script: { variables: { title: 'One', loud: true }, ...movieOf('#c02020') } });
    await page.locator('.bar').first().waitFor();
    await page.evaluate(await readFile(axePath, 'utf8'));
    const found: string[] = [];
    const look = async (where: string): Promise<void> => {
      const violations = await page.evaluate(async () => {
        const axe = (window as unknown as { axe: { run(): Promise<{ violations: Array<{ id: string; nodes: Array<{ html: string }> }> }> } }).axe;
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
      });
      found.push(...violations.map((violation) => `${where}: ${violation}`));
    };
    await look('script');
    for (const name of ['Gallery', 'Variables', 'Renders']) {
      await page.getByRole('navigation').getByRole('button', { name }).click();
      await page.locator('.side .panel').waitFor();
      await look(name);
    }
    await write(page, movieOf('red?'));
    await page.locator('.problem[data-shown]').waitFor();
    await look('a fault');
    await page.getByRole('button', { name: 'Use another key' }).click();
    await page.locator('.gate').waitFor();
    await look('the door');
    expect(found).toEqual([]);
    await page.context().close();
  });

  it('no page logs an error or contacts another host', () => {
    expect(complaints).toEqual([]);
  });
});
