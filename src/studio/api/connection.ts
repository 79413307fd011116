import { type Signal, signal } from '@preact/signals';
import type { ErrorResponse } from '../../contract/index.js';

/** Requests of the account in its present window, as the last answer told. */
export interface Rate {
  limit: number;
  remaining: number;
  /** Unix time, seconds. */
  resetAt: number;
}

/** What the service refused, in its own words; status 0: there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly path: string | undefined;
  readonly retryAfterSeconds: number;

  constructor(status: number, code: string, message: string, more: { path?: string | undefined; retryAfterSeconds?: number } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.path = more.path;
    this.retryAfterSeconds = more.retryAfterSeconds ?? 0;
  }
}

export interface Call {
  method?: 'GET' | 'POST';
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Instead of the key of the session. */
  key?: string;
}

/** The service, as any of its clients sees it. */
export class Connection {
  readonly rate: Signal<Rate | undefined> = signal(undefined);
  /** Called when the service does not know the key any more. */
  onRefusedKey: () => void = () => undefined;
  readonly #base: URL;
  readonly #key: () => string;

  constructor(base: URL, key: () => string) {
    this.#base = base;
    this.#key = key;
  }

  async json<Body>(path: string, call: Call = {}): Promise<Body> {
    const answer = await this.open(path, call);
    return (await answer.json()) as Body;
  }

  /** Throws an ApiError for anything but a success; an AbortError when it was cut off. */
  async open(path: string, { method = 'GET', body, signal: abort, key = this.#key() }: Call = {}): Promise<Response> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (key !== '') headers['x-api-key'] = key;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const request: RequestInit = { method, headers, cache: 'no-store' };
    if (body !== undefined) request.body = JSON.stringify(body);
    if (abort !== undefined) request.signal = abort;
    const answer = await fetch(new URL(path, this.#base), request).catch((error: unknown) => {
      if (isAbort(error)) throw error;
      throw new ApiError(0, 'UNREACHABLE', 'The service does not answer.');
    });
    // Single frames have a measure of their own.
    if (!path.endsWith('/frame')) this.#noteRate(answer.headers);
    if (answer.ok) return answer;
    const error = await readError(answer);
    if (error.status === 401 && key === this.#key()) this.onRefusedKey();
    throw error;
  }

  #noteRate(headers: Headers): void {
    const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
    if (Number.isNaN(limit)) return;
    this.rate.value = { limit, remaining: Number(headers.get('x-ratelimit-remaining')), resetAt: Number(headers.get('x-ratelimit-reset')) };
  }
}

async function readError(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as { error?: Partial<ErrorResponse['error']> };
  const { code = `HTTP_${answer.status}`, message = `The service answered with status ${answer.status}.`, path } = body.error ?? {};
  return new ApiError(answer.status, code, message, { path, retryAfterSeconds: Number(answer.headers.get('retry-after') ?? 0) });
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
