import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { PageFailure } from './chromium/page-failure.js';

/** More than any page that people look at. */
const maxDialogCount = 300;
const maxDocumentCount = 20;
const maxUrlLength = 200;
const navigationWaitMs = 500;

/** Notices at once what would keep a page from ever being drawn: it leaves, it loads again and again, it opens dialog after dialog. */
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

  /** Before the page is loaded; `Page.enable` is somebody else's. */
  watch(): void {
    const session = this.#session;
    session.on('Page.javascriptDialogOpening', () => {
      this.#dialogs += 1;
      if (this.#dialogs > maxDialogCount) this.failWith(`the page opens dialog after dialog (alert, confirm, prompt); ${maxDialogCount} are answered`);
      session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#onNavigated(frame.url);
    });
  }

  #onNavigated(url: string): void {
    this.#documents += 1;
    if (/^about:/i.test(url)) this.failWith(`the page left for ${url.slice(0, maxUrlLength)}, where there is nothing to be seen`);
    else if (this.#documents > maxDocumentCount) this.failWith(`the page loads itself or other pages again and again; it may do so ${maxDocumentCount} times`);
  }

  /** What was asked of a page that was just leaving fails before it is known where to. */
  async explainError(error: unknown): Promise<never> {
    if (!(error instanceof Error) || !/navigated or closed|context was destroyed|cannot find context/i.test(error.message)) throw error;
    await Promise.race([this.failed, sleep(navigationWaitMs)]);
    throw new PageFailure('the page went elsewhere while it was drawn');
  }

  /** What others find. */
  failWith(message: string): void {
    this.#fail(new PageFailure(message));
  }
}
