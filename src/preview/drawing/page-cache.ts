import type { HtmlPage, HtmlSprite, HtmlSprites, HtmlTiming } from '../../graphics/index.js';
import { LruCache } from '../index.js';

/** A browser without pages to draw is closed after this time. */
const browserIdleMs = 20_000;
const ttlMs = 300_000;
const maxPages = 200;

/** Draws each HTML page once and keeps the browser open for the next one. */
export class PageCache {
  readonly #openBrowser: () => HtmlSprites;
  readonly #drawn = new LruCache<HtmlSprite>(maxPages, ttlMs);
  #browser: HtmlSprites | undefined;
  #activeCount = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  /** `openBrowser` creates the drawer of pages, in a folder of its own. */
  constructor(openBrowser: () => HtmlSprites) {
    this.#openBrowser = openBrowser;
  }

  /** A drawer for one movie; closing it leaves the browser open. `density` scales the movie's resolution: smaller sprites take less time. */
  forMovie(density: number): HtmlSprites {
    const close = async (): Promise<void> => {};
    const processId = this.#browser?.processId;
    return { draw: (page, timing) => this.#draw({ ...page, dpi: page.dpi * density }, timing), close, [Symbol.asyncDispose]: close, processId };
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#closeBrowser();
    await this.#closing;
  }

  async #draw(page: HtmlPage, { signal, ...timing }: HtmlTiming): Promise<HtmlSprite> {
    const { path: _, ...content } = page;
    const key = JSON.stringify([content, timing]);
    const cached = this.#drawn.get(key);
    if (cached !== undefined) return cached;
    clearTimeout(this.#idleTimer);
    this.#browser ??= this.#openBrowser();
    this.#activeCount += 1;
    try {
      return this.#drawn.set(key, await this.#browser.draw(page, { ...timing, ...(signal && { signal }) }));
    } finally {
      this.#activeCount -= 1;
      if (this.#activeCount === 0) this.#idleTimer = setTimeout(() => this.#closeBrowser(), browserIdleMs).unref();
    }
  }

  #closeBrowser(): void {
    const browser = this.#browser;
    this.#browser = undefined;
    if (browser !== undefined) this.#closing = Promise.allSettled([this.#closing, browser.close()]);
  }
}
