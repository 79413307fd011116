import type { CDPSession } from 'puppeteer-core';

/**
 * Chromium rounds the clocks of pages to 0.1 ms with a random threshold. Times on that grid are exact in every run, so all times
 * here are whole ticks.
 */
const tickMicroseconds = 100;
/** Compensates for Chromium truncating doubles to microseconds. */
const roundingMs = 0.0002;

/** Virtual time of a page. It advances only in `advanceTo()`, which waits for pending requests of the page. */
export class PageClock {
  readonly #session: CDPSession;
  #now: number;

  private constructor(session: CDPSession, now: number) {
    this.#session = session;
    this.#now = now;
  }

  /** Stops the page's clock at `epochMs`. Must be called before the page is loaded. */
  static async start(session: CDPSession, epochMs: number): Promise<PageClock> {
    const { virtualTimeTicksBase } = await session.send('Emulation.setVirtualTimePolicy', {
      policy: 'pause',
      // Not on a whole millisecond, so that aligning the clock to the grid does not change the value of Date.
      initialVirtualTime: (epochMs + 0.3) / 1000,
    });
    const base = Math.round(virtualTimeTicksBase * 1000);
    const clock = new PageClock(session, base);
    await clock.advanceTo((Math.floor(base / tickMicroseconds) + 2) * tickMicroseconds);
    return clock;
  }

  /** Microseconds of the machine's monotonic clock. */
  get now(): number {
    return this.#now;
  }

  /** Advances by the smallest step. */
  async tick(): Promise<void> {
    await this.advanceTo(this.#now + tickMicroseconds);
  }

  /** Advances to a time on the grid; does nothing for past times. */
  async advanceTo(time: number): Promise<void> {
    if (time > this.#now) await this.#spend(time);
  }

  /** Runs pending tasks without advancing the time. */
  async runTasks(): Promise<void> {
    await this.#spend(this.#now);
  }

  async #spend(time: number): Promise<void> {
    const expired = new Promise<void>((resolve) => {
      this.#session.once('Emulation.virtualTimeBudgetExpired', () => resolve());
    });
    await this.#session.send('Emulation.setVirtualTimePolicy', {
      policy: 'pauseIfNetworkFetchesPending',
      budget: (time - this.#now) / 1000 + roundingMs,
    });
    await expired;
    this.#now = time;
  }

  /** Draws a frame at the current time; the image is a PNG. */
  async beginFrame(withImage: boolean): Promise<{ changed: boolean; image: Buffer | undefined }> {
    const { hasDamage, screenshotData } = await this.#session.send('HeadlessExperimental.beginFrame', {
      frameTimeTicks: this.#now / 1000 + roundingMs,
      interval: 1000 / 60,
      ...(withImage ? { screenshot: { format: 'png' as const, optimizeForSpeed: true } } : {}),
    });
    return { changed: hasDamage, image: screenshotData === undefined ? undefined : Buffer.from(screenshotData, 'base64') };
  }
}

/** Microseconds from the first frame to a frame, rounded to the grid. */
export function frameMicroseconds(frame: number, fps: { num: number; den: number }): number {
  return Math.round((frame * 1e6 * fps.den) / (fps.num * tickMicroseconds)) * tickMicroseconds;
}
