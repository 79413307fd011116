import { AppError, type AppErrorOptions } from '../errors/index.js';

/** A refusal by HTTP itself (405, 413, 415…): INVALID_REQUEST, but with a status and headers of its own. */
export class Refusal extends AppError {
  readonly #status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, options: AppErrorOptions & { message: string; headers?: Record<string, string> }) {
    super('INVALID_REQUEST', options);
    this.#status = status;
    this.headers = options.headers ?? {};
  }

  override get status(): number {
    return this.#status;
  }
}
