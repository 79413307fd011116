export interface WorkLoopParts {
  /** Takes up all work that can be taken up now. */
  look: () => Promise<void>;
  /** How often to look without being told. */
  pollMs: number;
  onError: (error: unknown) => void;
}

/** Looks for work when told and every now and then: one look at a time, and one more when told during a look. */
export class WorkLoop {
  readonly #parts: WorkLoopParts;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #stopped = false;

  constructor(parts: WorkLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.notify(), this.#parts.pollMs);
    this.notify();
  }

  notify(): void {
    // Before the start what the work stands on may not be there yet.
    if (this.#stopped || this.#timer === undefined) return;
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      // Told again after the last look.
      if (this.#lookAgain) this.notify();
    });
  }

  /** Resolves when the look in hand is over; there is none after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    while (this.#lookAgain && !this.#stopped) {
      this.#lookAgain = false;
      try {
        await this.#parts.look();
      } catch (error) {
        this.#parts.onError(error);
      }
    }
  }
}
