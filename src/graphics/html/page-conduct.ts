import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { PageFailure } from './chromium/page-failure.js';

/** Far above the counts of usable pages. */
const maxDialogCount = 300;
const maxDocumentCount = 20;
const maxUrlLength = 200;
const navigationWaitMs = 500;

/** Detects pages that would never finish: navigation away, endless reloads, endless dialogs. */
export class PageGuard {
  readonly #session: CDPSession;
  /** Rejects with a PageFailure. */
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #dialogs = 0;
  #documents = 0;

  constructor(session: CDPSession) {
    this.#session = session;
    this.failed = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
  }

  /** Must be called before the page is loaded. The caller sends `Page.enable`. */
  watch(): void {
    const session = this.#session;
    session.on('Page.javascriptDialogOpening', () => {
      this.#dialogs += 1;
      if (this.#dialogs > maxDialogCount) this.failWith(`the page opens more than ${maxDialogCount} dialogs (alert, confirm, prompt)`);
      session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#onNavigated(frame.url);
    });
  }

  #onNavigated(url: string): void {
    this.#documents += 1;
    if (/^about:/i.test(url)) this.failWith(`the page navigated to ${url.slice(0, maxUrlLength)}, which is empty`);
    else if (this.#documents > maxDocumentCount) this.failWith(`the page reloads or navigates more than ${maxDocumentCount} times`);
  }

  /** Replaces the error of a command that failed because the page was navigating. */
  async explainError(error: unknown): Promise<never> {
    if (!(error instanceof Error) || !/navigated or closed|context was destroyed|cannot find context/i.test(error.message)) throw error;
    await Promise.race([this.failed, sleep(navigationWaitMs)]);
    throw new PageFailure('the page navigated away while it was drawn');
  }

  /** Rejects `failed` with a PageFailure. */
  failWith(message: string): void {
    this.#fail(new PageFailure(message));
  }
}
