import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, withPath } from '../../errors/index.js';
import type { Outbound } from '../../outbound/index.js';
import { writeFileAtomically } from '../canvas/sprite-file.js';
import { fingerprintSystemFonts, installedPackageFolders, readFontPackages, systemFontFolders } from '../fonts/index.js';
import { BrowserCrash, BrowserStartFailure, RunningBrowser } from './chromium/browser.js';
import { PageFailure } from './chromium/page-failure.js';
import { composeDocument } from './document.js';
import { openPage } from './open-page.js';
import type { HtmlPage, HtmlSprite, HtmlTiming } from './page.js';
import { pageKey, windowSize } from './page.js';
import { PageGuard } from './page-conduct.js';
import { createPageFonts } from './page-fonts.js';
import { PageWarnings } from './page-warnings.js';
import { FrameFile } from './recording/frame-file.js';
import { recordPage } from './recording/record.js';
import { PageRequests, type RequestLimits } from './requests.js';
import { TimeLimit } from './time-limit.js';

/** Draws HTML pages. */
export interface HtmlSprites extends AsyncDisposable {
  /** Draws a page into a file. Equal pages without network requests are drawn once. */
  draw(page: HtmlPage, timing: HtmlTiming): Promise<HtmlSprite>;
  /** Kills the browser and removes its profile. */
  close(): Promise<void>;
  /** Process id of the running browser, if any. */
  readonly processId: number | undefined;
}

/** Limits on pages; times in milliseconds. */
export interface HtmlLimits extends RequestLimits {
  /** Time to load a page, and time for each frame. */
  loadMs: number;
  stepMs: number;
  /** Time for the whole page: `pageMs` plus `frameMs` per frame. */
  pageMs: number;
  frameMs: number;
  /** Size of the images of all pages together. */
  imageBytes: number;
  /** Pages after which the browser is restarted. */
  pagesPerBrowser: number;
}

/** Options of createHtmlSprites(). */
export interface HtmlSpritesOptions {
  /** Folder for drawn pages and temporary files; created if missing. */
  folder: string;
  /** Chromium's headless shell; undefined: not installed. */
  chromium: string | undefined;
  /** Memory limit of each Chromium process. */
  memoryMb?: number;
  /** Network access of pages; absent: none. */
  outbound?: Pick<Outbound, 'checkUrl' | 'download'>;
  limits?: Partial<HtmlLimits>;
  /** Start time of a page's clock; default: today at midnight UTC. */
  now?: () => Date;
}

const defaultLimits: HtmlLimits = {
  fileBytes: 32 * 1024 ** 2,
  pageBytes: 128 * 1024 ** 2,
  requests: 200,
  timeoutMs: 20_000,
  stallMs: 5_000,
  loadMs: 45_000,
  stepMs: 30_000,
  pageMs: 120_000,
  frameMs: 2_000,
  imageBytes: 16 * 1024 ** 3,
  pagesPerBrowser: 50,
};

/** Pages usually need a few hundred MB; pages with large images up to 1 GB. */
const defaultMemoryMb = 2048;

const notStarting = 'HTML elements cannot be drawn on this host: Chromium does not start. Run `framewright doctor` for details.';

/** Creates a drawer; Chromium is started with the first page. */
export function createHtmlSprites(options: HtmlSpritesOptions): HtmlSprites {
  return new Drawer(options);
}

class Drawer implements HtmlSprites {
  readonly #options: HtmlSpritesOptions;
  readonly #limits: HtmlLimits;
  readonly #fonts = createPageFonts(() => readFontPackages(installedPackageFolders()));
  readonly #running = new Map<string, Promise<HtmlSprite>>();
  #browser: RunningBrowser | undefined;
  /** Pages are drawn one at a time: drawing is CPU-bound, and virtual time applies to a whole process. */
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** Image bytes of all pages drawn so far. */
  #imageBytes = 0;

  constructor(options: HtmlSpritesOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  get processId(): number | undefined {
    return this.#browser?.processId;
  }

  get #memoryMb(): number {
    return this.#options.memoryMb ?? defaultMemoryMb;
  }

  async draw(page: HtmlPage, timing: HtmlTiming): Promise<HtmlSprite> {
    timing.signal?.throwIfAborted();
    const key = pageKey(page, timing, [this.#epoch().toISOString(), fingerprintSystemFonts(systemFontFolders())]);
    let running = this.#running.get(key);
    if (!running) {
      running = this.#enqueue(() => this.#drawOnce(key, page, timing)).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    const drawn = await running;
    return { ...drawn, warnings: [...drawn.warnings] };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const browser = this.#browser;
    this.#browser = undefined;
    await browser?.kill();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #epoch(): Date {
    return this.#options.now?.() ?? new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#queue.then(work, work);
    this.#queue = mine.catch(() => {});
    return mine;
  }

  async #drawOnce(key: string, page: HtmlPage, timing: HtmlTiming): Promise<HtmlSprite> {
    const listPath = join(this.#options.folder, `${key}.json`);
    const known = await this.#readStored(listPath);
    if (known) return known;
    await mkdir(this.#options.folder, { recursive: true });
    try {
      const { image, usedNetwork } = await this.#withRestart((browser) => this.#drawIn(browser, key, page, timing));
      if (!usedNetwork) await writeFileAtomically(listPath, JSON.stringify({ ...image, path: image.path.slice(this.#options.folder.length + 1) }));
      return image;
    } catch (error) {
      timing.signal?.throwIfAborted();
      if (error instanceof BrowserStartFailure) throw new AppError('RENDER_FAILED', { message: notStarting, detail: error.message, cause: error });
      const failure = this.#describeFailure(error);
      if (failure === undefined) throw error;
      throw page.path === undefined ? failure : withPath(failure, page.path);
    }
  }

  #describeFailure(error: unknown): AppError | undefined {
    if (error instanceof AppError) return error;
    if (error instanceof PageFailure) return new AppError('RENDER_FAILED', { message: error.message, cause: error });
    if (!(error instanceof BrowserCrash)) return undefined;
    const message = `Chromium crashed twice while drawing the page, or the page exceeded its memory limit of ${this.#memoryMb} MB`;
    return new AppError('RENDER_FAILED', { message, cause: error });
  }

  async #readStored(path: string): Promise<HtmlSprite | undefined> {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const known = JSON.parse(text) as HtmlSprite;
    known.path = join(this.#options.folder, known.path);
    return (await stat(known.path).catch(() => undefined)) === undefined ? undefined : known;
  }

  /** Retries once in a new browser after a crash, which may not be the page's fault. */
  async #withRestart<T>(work: (browser: RunningBrowser) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#openBrowser());
    } catch (error) {
      if (!(error instanceof BrowserCrash) || this.#isClosed) throw error;
      await this.#discardBrowser();
      return await work(await this.#openBrowser());
    }
  }

  async #openBrowser(): Promise<RunningBrowser> {
    if (this.#isClosed) throw new AppError('RENDER_FAILED', { message: 'the HTML drawer is closed' });
    if (this.#browser && (!this.#browser.isConnected || this.#browser.pagesOpened >= this.#limits.pagesPerBrowser)) await this.#discardBrowser();
    const { chromium, folder } = this.#options;
    if (chromium === undefined) {
      throw new AppError('RENDER_FAILED', {
        message:
          'HTML elements need Chromium, which is not installed on this host (Debian package chromium-headless-shell, or FRAMEWRIGHT_CHROMIUM names the program)',
      });
    }
    this.#browser ??= await RunningBrowser.launch(chromium, { folder, memoryMb: this.#memoryMb });
    return this.#browser;
  }

  async #discardBrowser(): Promise<void> {
    const browser = this.#browser;
    this.#browser = undefined;
    await browser?.kill();
  }

  #checkSize({ bytes }: FrameFile): void {
    const { imageBytes } = this.#limits;
    if (this.#imageBytes + bytes <= imageBytes) return;
    const maxText = imageBytes < 1024 ** 3 ? `${Math.round(imageBytes / 1024 ** 2)} MiB` : `${Math.round(imageBytes / 1024 ** 3)} GiB`;
    throw new PageFailure(`the frames of all pages of the movie exceed the limit of ${maxText}; use shorter or smaller pages, or less motion`);
  }

  async #drawIn(browser: RunningBrowser, key: string, page: HtmlPage, timing: HtmlTiming): Promise<{ image: HtmlSprite; usedNetwork: boolean }> {
    const limits = this.#limits;
    const workFolder = await mkdtemp(join(this.#options.folder, 'page-'));
    const file = new FrameFile(join(this.#options.folder, key), { fps: timing.fps, frames: timing.frames });
    const stop = new AbortController();
    const abort = (): void => stop.abort(timing.signal?.reason);
    timing.signal?.addEventListener('abort', abort, { once: true });
    const limit = new TimeLimit();
    const whole = new TimeLimit();
    const wholeMs = limits.pageMs + limits.frameMs * (timing.frames + Math.ceil((page.wait * timing.fps.num) / timing.fps.den));
    whole.restart(wholeMs, `the page was not drawn within ${Math.round(wholeMs / 1000)} s`);
    const warnings = new PageWarnings();
    let isDone = false;
    try {
      const tab = await limit.within(browser.openTab(windowSize(page)), limits.stepMs, 'Chromium did not open a page in time');
      const aborted = new Promise<never>((_resolve, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true }));
      aborted.catch(() => {});
      const document = page.html === undefined ? '' : composeDocument(page, this.#fonts);
      const conduct = new PageGuard(tab.session);
      conduct.watch();
      const requests = new PageRequests(tab.session, {
        document,
        folder: workFolder,
        fonts: this.#fonts,
        outbound: this.#options.outbound,
        limits,
        warn: warnings.add,
        onExcess: (message) => conduct.failWith(message),
        signal: stop.signal,
      });
      const work = async (): Promise<void> => {
        await warnings.listen(tab.session, (message) => conduct.failWith(message));
        limit.restart(limits.loadMs, `the page was not loaded within ${limits.loadMs / 1000} s`);
        const clock = await openPage(tab, page, { requests, epochMs: this.#epoch().getTime() });
        const nextStep = (): void => limit.restart(limits.stepMs, `the page did not draw a frame within ${limits.stepMs / 1000} s`);
        nextStep();
        await recordPage(
          {
            session: tab.session,
            clock,
            wait: page.wait,
            hasMovingImages: () => requests.hasMovingImages,
            onFrame: async (image) => {
              await file.add(image);
              this.#checkSize(file);
            },
            onLoop: (fromFrame) => file.loopFrom(fromFrame),
            onStep: nextStep,
          },
          timing,
        );
      };
      await Promise.race([work().catch((error: unknown) => conduct.explainError(error)), tab.crashed, conduct.failed, limit.expired, whole.expired, aborted]);
      limit.end();
      const saved = await file.finish(requests.documentFailure);
      this.#imageBytes += file.bytes;
      await tab.close();
      isDone = true;
      return { image: { ...saved, warnings: warnings.list() }, usedNetwork: requests.usedNetwork };
    } catch (error) {
      if (error instanceof Error && /Target closed|Session closed|Connection closed|detached/i.test(error.message))
        throw new BrowserCrash(error.message, { cause: error });
      throw error;
    } finally {
      limit.end();
      whole.end();
      stop.abort();
      timing.signal?.removeEventListener('abort', abort);
      // After a failure the page may still be busy, so the browser is killed.
      if (!isDone) {
        await this.#discardBrowser();
        await file.discard();
      }
      await rm(workFolder, { recursive: true, force: true });
    }
  }
}
