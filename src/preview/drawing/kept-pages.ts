import type { HtmlPage, HtmlSprite, HtmlSprites, HtmlTiming } from '../../graphics/index.js';

/** A browser that shows nothing for so long is ended. */
const restMs = 20_000;
const keptMs = 300_000;
const mostKept = 200;

/** Pages that were shown are not shown again, and the browser stays for the next one. */
export class KeptPages {
  readonly #open: () => HtmlSprites;
  readonly #kept = new Map<string, { at: number; picture: HtmlSprite }>();
  #browser: HtmlSprites | undefined;
  #drawing = 0;
  #rest: NodeJS.Timeout | undefined;
  #ending: Promise<unknown> = Promise.resolve();

  /** `open` makes what draws pages, in a folder of its own. */
  constructor(open: () => HtmlSprites) {
    this.#open = open;
  }

  /** For one movie; its end ends nothing. `density`: of what the movie asks for, since small pictures of a page are drawn in less time. */
  forMovie(density: number): HtmlSprites {
    const rest = async (): Promise<void> => {};
    const processId = this.#browser?.processId;
    return { draw: (page, timing) => this.#draw({ ...page, dpi: page.dpi * density }, timing), close: rest, [Symbol.asyncDispose]: rest, processId };
  }

  async close(): Promise<void> {
    clearTimeout(this.#rest);
    this.#endBrowser();
    await this.#ending;
  }

  async #draw(page: HtmlPage, { signal, ...timing }: HtmlTiming): Promise<HtmlSprite> {
    const { label: _, ...shown } = page;
    const key = JSON.stringify([shown, timing]);
    const known = this.#kept.get(key);
    if (known !== undefined && performance.now() - known.at < keptMs) return known.picture;
    clearTimeout(this.#rest);
    this.#browser ??= this.#open();
    this.#drawing += 1;
    try {
      const picture = await this.#browser.draw(page, { ...timing, ...(signal && { signal }) });
      this.#kept.delete(key);
      this.#kept.set(key, { at: performance.now(), picture });
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
      return picture;
    } finally {
      this.#drawing -= 1;
      if (this.#drawing === 0) this.#rest = setTimeout(() => this.#endBrowser(), restMs).unref();
    }
  }

  #endBrowser(): void {
    const browser = this.#browser;
    this.#browser = undefined;
    if (browser !== undefined) this.#ending = Promise.allSettled([this.#ending, browser.close()]);
  }
}
