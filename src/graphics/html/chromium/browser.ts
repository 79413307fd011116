import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, CDPSession } from 'puppeteer-core';
import { PageFailure } from './page-failure.js';
import { ChromiumProcess } from './process.js';

/** Chromium exited or stopped responding, not necessarily because of the page. */
export class BrowserCrash extends Error {}

/** Chromium did not start. */
export class BrowserStartFailure extends BrowserCrash {}

/** An open page. */
export interface Tab {
  session: CDPSession;
  /** Rejects when the page or the browser exits. */
  crashed: Promise<never>;
  close(): Promise<void>;
}

const launchMs = 20_000;
const closeTabMs = 3000;

/** A running Chromium. Its processes form one group that is killed as a whole. */
export class RunningBrowser {
  readonly #browser: Browser;
  readonly #profile: string;
  readonly #root: CDPSession;
  readonly #chromium: ChromiumProcess;
  #opened = 0;

  private constructor(browser: Browser, root: CDPSession, chromium: ChromiumProcess, profile: string) {
    this.#browser = browser;
    this.#root = root;
    this.#chromium = chromium;
    this.#profile = profile;
  }

  static async launch(program: string, { folder, memoryMb }: { folder: string; memoryMb: number }): Promise<RunningBrowser> {
    const profile = await mkdtemp(join(folder, 'chromium-'));
    const chromium = new ChromiumProcess(program, { profile, memoryMb });
    try {
      return await chromium.startWithin(launchMs, RunningBrowser.#connect(chromium, profile));
    } catch (error) {
      await chromium.kill();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      throw new BrowserStartFailure(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  static async #connect(chromium: ChromiumProcess, profile: string): Promise<RunningBrowser> {
    // Imported lazily, so that render processes without HTML start faster.
    const { connect } = await import('puppeteer-core');
    const browser = await connect({ transport: chromium.transport, defaultViewport: null, protocolTimeout: 0 });
    const root = await browser.target().createCDPSession();
    const running = new RunningBrowser(browser, root, chromium, profile);
    await running.#closePopups();
    return running;
  }

  get pagesOpened(): number {
    return this.#opened;
  }

  get isConnected(): boolean {
    return this.#browser.connected;
  }

  get processId(): number | undefined {
    return this.#chromium.pid;
  }

  /** Opens an empty page in its own browser context: no shared cookies, storage or renderer process. `size` in device pixels. */
  async openTab(size: { width: number; height: number }): Promise<Tab> {
    this.#opened += 1;
    const root = this.#root;
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    await root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId, enableBeginFrameControl: true, ...size });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = root.connection()?.session(sessionId);
    if (!session) throw new BrowserCrash('the page closed before it was used');
    const crashed = new Promise<never>((_resolve, reject) => {
      session.once('Inspector.targetCrashed', () => reject(new BrowserCrash('the page crashed')));
      this.#browser.once('disconnected', () => reject(new BrowserCrash('the browser ended')));
      const onDetached = (event: { sessionId: string }): void => {
        if (event.sessionId !== sessionId) return;
        root.off('Target.detachedFromTarget', onDetached);
        reject(new PageFailure('the page closed itself'));
      };
      root.on('Target.detachedFromTarget', onDetached);
    });
    crashed.catch(() => {});
    await session.send('Inspector.enable');
    return {
      session,
      crashed,
      close: async () => {
        const closed = root.send('Target.disposeBrowserContext', { browserContextId }).then(
          () => true,
          () => false,
        );
        const isClosed = await Promise.race([closed, new Promise<boolean>((resolve) => setTimeout(resolve, closeTabMs, false).unref())]);
        if (!isClosed) await this.kill();
      },
    };
  }

  async kill(): Promise<void> {
    await this.#chromium.kill();
    await this.#browser.disconnect().catch(() => {});
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  async #closePopups(): Promise<void> {
    this.#root.on('Target.targetCreated', ({ targetInfo: { targetId, openerId } }) => {
      if (openerId !== undefined) this.#root.send('Target.closeTarget', { targetId }).catch(() => {});
    });
    await this.#root.send('Target.setDiscoverTargets', { discover: true });
  }
}
