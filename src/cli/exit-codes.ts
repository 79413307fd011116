/** Exit codes of the command line, documented in docs/cli.md. Scripts rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Wrong command line or setting. */
  usage: 2,
  /** The movie script is missing, not JSON, or invalid. */
  movie: 3,
  /** Ended by Ctrl-C: 128 + SIGINT, as in a shell. */
  interrupted: 130,
} as const;

/** The command was ended by Ctrl-C: exit code 130. */
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
