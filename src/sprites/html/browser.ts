import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession } from 'puppeteer-core';
import { AppError } from '../../errors/index.js';
import { launchOptions } from './launch-options.js';

/** Chromium went away or stopped answering: nothing that the page must have done. */
export class BrowserCrash extends Error {}

export interface Tab {
  session: CDPSession;
  /** Rejects when the page or the browser is gone. */
  crashed: Promise<never>;
  close(): Promise<void>;
}

const closeTabMs = 3000;

/** One running Chromium. Its processes are one group, which ends as a whole. */
export class RunningBrowser {
  readonly #browser: Browser;
  readonly #profile: string;
  readonly #root: CDPSession;
  #opened = 0;

  private constructor(browser: Browser, root: CDPSession, profile: string) {
    this.#browser = browser;
    this.#root = root;
    this.#profile = profile;
  }

  static async launch(program: string, folder: string): Promise<RunningBrowser> {
    const profile = await mkdtemp(join(folder, 'chromium-'));
    try {
      // Loaded with the first browser: render processes that never draw HTML start without it.
      const { launch } = await import('puppeteer-core');
      const browser = await launch(launchOptions(program, profile));
      const root = await browser.target().createCDPSession();
      const running = new RunningBrowser(browser, root, profile);
      await running.#closePopups();
      return running;
    } catch (error) {
      await rm(profile, { recursive: true, force: true });
      throw new AppError('RENDER_FAILED', {
        message: 'HTML elements cannot be drawn on this host: Chromium does not start. `framewright doctor` tells more.',
        detail: String(error),
        cause: error,
      });
    }
  }

  get pagesOpened(): number {
    return this.#opened;
  }

  get isConnected(): boolean {
    return this.#browser.connected;
  }

  get processId(): number | undefined {
    return this.#browser.process()?.pid;
  }

  /** An empty page in a context of its own: no cookies, no storage, no renderer shared with another page. */
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
    const child = this.#browser.process();
    const gone = new Promise<void>((resolve) => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) resolve();
      else child.once('exit', () => resolve());
    });
    const endGroup = (): boolean => {
      try {
        return child?.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
      } catch {
        return false;
      }
    };
    endGroup();
    await gone;
    // The members end one after the other; some may have been born meanwhile.
    for (let i = 0; i < 50 && endGroup(); i++) await sleep(10);
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
