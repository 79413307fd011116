import type { CDPSession, Protocol } from 'puppeteer-core';

const maxWarningCount = 10;
const maxWarningLength = 300;
/** Messages after which console events are disabled; events of a running script still arrive. */
const maxReadMessages = 1000;
/** Messages after which the page fails. */
const maxMessages = 20_000;

/** Warnings of a page, deduplicated and limited in number. */
export class PageWarnings {
  readonly #warnings = new Set<string>();
  #droppedCount = 0;
  #messageCount = 0;

  readonly add = (warning: string): void => {
    const text = warning.replace(/\s+/g, ' ').trim();
    const cut = text.length > maxWarningLength ? `${text.slice(0, maxWarningLength)}…` : text;
    if (this.#warnings.has(cut)) return;
    if (this.#warnings.size < maxWarningCount) this.#warnings.add(cut);
    else this.#droppedCount += 1;
  };

  list(): string[] {
    return this.#droppedCount === 0 ? [...this.#warnings] : [...this.#warnings, `${this.#droppedCount} more warnings of the page are omitted`];
  }

  /** Collects console errors and uncaught exceptions. `onExcess` is called when the page floods the console. */
  async listen(session: CDPSession, onExcess: (message: string) => void): Promise<void> {
    const countMessage = (): void => {
      this.#messageCount += 1;
      if (this.#messageCount === maxReadMessages) session.send('Runtime.disable').catch(() => {});
      if (this.#messageCount === maxMessages) onExcess(`the page writes more than ${maxMessages} console messages`);
    };
    session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      countMessage();
      if (type === 'error' || type === 'assert') this.add(`console error of the page: ${args.map(textOf).join(' ')}`);
    });
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, lineNumber } }) => {
      countMessage();
      const what = exception?.description?.split('\n')[0] ?? (exception === undefined ? text : textOf(exception));
      this.add(`the page's script failed: ${what} (line ${lineNumber + 1})`);
    });
    await session.send('Runtime.enable');
  }
}

function textOf({ value, description, type }: Protocol.Runtime.RemoteObject): string {
  if (typeof value === 'string') return value;
  return value === undefined ? (description ?? type) : JSON.stringify(value);
}
