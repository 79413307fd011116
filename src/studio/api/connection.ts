import { type Signal, signal } from '@preact/signals';
import type { ErrorResponse } from '../../contract/index.js';

/** Rate limit of the account, from the headers of the last response. */
export interface Rate {
  limit: number;
  remaining: number;
  /** End of the window (Unix seconds). */
  resetAt: number;
}

/** An error response of the service; status 0 when there was no response. */
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

/** Options of a request. */
export interface Call {
  method?: 'GET' | 'POST';
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Replaces the API key of the session. */
  key?: string;
}

/** HTTP connection to the service. */
export class Connection {
  readonly rate: Signal<Rate | undefined> = signal(undefined);
  /** Called when the service rejects the session's API key. */
  onRefusedKey: () => void = () => undefined;
  readonly #base: URL;
  readonly #key: () => string;

  constructor(base: URL, key: () => string) {
    this.#base = base;
    this.#key = key;
  }

  async json<Body>(path: string, call: Call = {}): Promise<Body> {
    const response = await this.open(path, call);
    return (await response.json()) as Body;
  }

  /** Sends a request. Throws ApiError for an error response and AbortError when it is aborted. */
  async open(path: string, { method = 'GET', body, signal: abort, key = this.#key() }: Call = {}): Promise<Response> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (key !== '') headers['x-api-key'] = key;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const request: RequestInit = { method, headers, cache: 'no-store' };
    if (body !== undefined) request.body = JSON.stringify(body);
    if (abort !== undefined) request.signal = abort;
    const response = await fetch(new URL(path, this.#base), request).catch((error: unknown) => {
      if (isAbort(error)) throw error;
      throw new ApiError(0, 'UNREACHABLE', 'The service does not response.');
    });
    // The rate headers of single frames are those of their separate limit.
    if (!path.endsWith('/frame')) this.#noteRate(response.headers);
    if (response.ok) return response;
    const error = await readError(response);
    if (error.status === 401 && key === this.#key()) this.onRefusedKey();
    throw error;
  }

  #noteRate(headers: Headers): void {
    const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
    if (Number.isNaN(limit)) return;
    this.rate.value = { limit, remaining: Number(headers.get('x-ratelimit-remaining')), resetAt: Number(headers.get('x-ratelimit-reset')) };
  }
}

async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { error?: Partial<ErrorResponse['error']> };
  const { code = `HTTP_${response.status}`, message = `The service answered with status ${response.status}.`, path } = body.error ?? {};
  return new ApiError(response.status, code, message, { path, retryAfterSeconds: Number(response.headers.get('retry-after') ?? 0) });
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
