import type { CDPSession, Protocol } from 'puppeteer-core';

const maxWarningCount = 10;
const maxWarningLength = 300;
/** Then nobody listens any more; what a script says without a pause still comes. */
const maxReadMessages = 1000;
const maxMessages = 20_000;

/** What a page complained about, each thing once, and not endlessly. */
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
    return this.#droppedCount === 0 ? [...this.#warnings] : [...this.#warnings, `${this.#droppedCount} more warnings of the page are left out`];
  }

  /** Console errors and exceptions that nobody caught. `excess`: the page does nothing but talk. */
  async listen(session: CDPSession, excess: (message: string) => void): Promise<void> {
    const countMessage = (): void => {
      this.#messageCount += 1;
      if (this.#messageCount === maxReadMessages) session.send('Runtime.disable').catch(() => {});
      if (this.#messageCount === maxMessages) excess(`the page's console fills without end; ${maxMessages} messages at a time are read`);
    };
    session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      countMessage();
      if (type === 'error' || type === 'assert') this.add(`the page's console says: ${args.map(textOf).join(' ')}`);
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
