import type { CDPSession } from 'puppeteer-core';

/**
 * Pages read clocks that Chromium rounds to tenths of a millisecond with a random threshold between them; times that lie
 * on that grid are read the same in every run. So every instant here is a whole number of ticks.
 */
const tickMicroseconds = 100;
/** Added where Chromium cuts a double to whole microseconds. */
const roundingMs = 0.0002;

/** A page's own time. It stands still but in `advanceTo`, and waits for requests of the page that are under way. */
export class PageClock {
  readonly #session: CDPSession;
  #now: number;

  private constructor(session: CDPSession, now: number) {
    this.#session = session;
    this.#now = now;
  }

  /** Must be called before the page is loaded. */
  static async start(session: CDPSession, epochMs: number): Promise<PageClock> {
    const { virtualTimeTicksBase } = await session.send('Emulation.setVirtualTimePolicy', {
      policy: 'pause',
      // Away from a whole millisecond, so that Date sees the same one however the clock has to be shifted onto its grid.
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

  /** The smallest step. */
  async tick(): Promise<void> {
    await this.advanceTo(this.#now + tickMicroseconds);
  }

  async advanceTo(time: number): Promise<void> {
    if (time > this.#now) await this.#spend(time);
  }

  /** Lets waiting tasks run while no time passes. */
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

  /** Draws the page as it is now; the image is a PNG. */
  async beginFrame(withImage: boolean): Promise<{ changed: boolean; image: Buffer | undefined }> {
    const { hasDamage, screenshotData } = await this.#session.send('HeadlessExperimental.beginFrame', {
      frameTimeTicks: this.#now / 1000 + roundingMs,
      interval: 1000 / 60,
      ...(withImage ? { screenshot: { format: 'png' as const, optimizeForSpeed: true } } : {}),
    });
    return { changed: hasDamage, image: screenshotData === undefined ? undefined : Buffer.from(screenshotData, 'base64') };
  }
}

/** Microseconds from the first frame to a frame, on the grid. */
export function frameMicroseconds(frame: number, fps: { num: number; den: number }): number {
  return Math.round((frame * 1e6 * fps.den) / (fps.num * tickMicroseconds)) * tickMicroseconds;
}
