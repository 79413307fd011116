/** docs/cli.md tells them; scripts rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line, or a setting. */
  usage: 2,
  /** The movie script: not there, not JSON, or not valid. */
  movie: 3,
  /** As a shell has it for what Ctrl-C ended. */
  interrupted: 130,
} as const;

/** Ended by Ctrl-C. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted');
    this.name = 'InterruptedError';
  }
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
