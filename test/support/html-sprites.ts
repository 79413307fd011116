import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HtmlLimits, HtmlPage, HtmlSprites, HtmlSpritesOptions } from '../../src/graphics/index.js';
import { createHtmlSprites } from '../../src/graphics/index.js';

export interface TestHtmlSprites extends AsyncDisposable {
  folder: string;
  sprites: HtmlSprites;
}

/** Draws HTML sprites with the installed Chromium into a temporary folder. */
export async function openTestHtmlSprites(options: Partial<HtmlSpritesOptions> & { limits?: Partial<HtmlLimits> } = {}): Promise<TestHtmlSprites> {
  const folder = await mkdtemp(join(tmpdir(), 'framewright-html-'));
  const sprites = createHtmlSprites({ folder, chromium: '/usr/bin/chromium-headless-shell', ...options });
  return {
    folder,
    sprites,
    [Symbol.asyncDispose]: async () => {
      await sprites.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function pageOf(html: string, more: Partial<HtmlPage> = {}): HtmlPage {
  return { html, width: 400, height: 60, css: {}, tailwind: false, wait: 0, dpi: 1, ...more };
}

export const at30 = (seconds: number) => ({ fps: { num: 30, den: 1 }, frames: Math.round(seconds * 30) });
