import type { CDPSession, Protocol } from 'puppeteer-core';

const mostWarnings = 10;
const longestWarning = 300;
/** Then nobody listens any more; what a script says without a pause still comes. */
const mostHeard = 1000;
const mostSaid = 20_000;

/** What a page complained about, each thing once, and not endlessly. */
export class PageWarnings {
  readonly #kept = new Set<string>();
  #dropped = 0;
  #said = 0;

  readonly add = (warning: string): void => {
    const text = warning.replace(/\s+/g, ' ').trim();
    const cut = text.length > longestWarning ? `${text.slice(0, longestWarning)}…` : text;
    if (this.#kept.has(cut)) return;
    if (this.#kept.size < mostWarnings) this.#kept.add(cut);
    else this.#dropped += 1;
  };

  list(): string[] {
    return this.#dropped === 0 ? [...this.#kept] : [...this.#kept, `${this.#dropped} more warnings of the page are left out`];
  }

  /** Console errors and exceptions that nobody caught. `excess`: the page does nothing but talk. */
  async listen(session: CDPSession, excess: (message: string) => void): Promise<void> {
    const hear = (): void => {
      this.#said += 1;
      if (this.#said === mostHeard) session.send('Runtime.disable').catch(() => {});
      if (this.#said === mostSaid) excess(`the page's console fills without end; ${mostSaid} messages at a time are read`);
    };
    session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      hear();
      if (type === 'error' || type === 'assert') this.add(`the page's console says: ${args.map(textOf).join(' ')}`);
    });
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, lineNumber } }) => {
      hear();
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
