import type { ErrorResponse } from '../contract/index.js';
import { FramewrightError } from './framewright-error.js';
import { sleep, startIdleTimeout } from './waiting.js';

/** The subset of fetch() that the client uses. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  body?: string;
}

export interface TransportSettings {
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  /** Maximum number of retries. */
  retries: number;
  /** Maximum pause before a retry, in ms; a longer Retry-After throws the error. */
  maxPauseMs: number;
  /** Response timeout in ms. */
  timeoutMs: number;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Identifies repetitions of the same request. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

const firstPauseMs = 500;

/** Sends requests and retries those that are safe to repeat. */
export class Transport {
  readonly settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.settings = settings;
  }

  /** Sends a request and parses the JSON response. Throws FramewrightError, or the reason of the signal. */
  async call<Body>(request: ApiRequest): Promise<Body> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt<Body>(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        const pauseMs = this.#pauseBeforeNext(request, error, attempt);
        if (pauseMs === undefined) throw error;
        await sleep(pauseMs, request.signal);
      }
    }
  }

  /** Pause before the next attempt; undefined after the last one. */
  #pauseBeforeNext(request: ApiRequest, error: unknown, attempt: number): number | undefined {
    if (!(error instanceof FramewrightError) || attempt >= this.settings.retries || !mayRepeat(request, error)) return undefined;
    // The jitter spreads the retries of many clients.
    const backoffMs = firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2);
    if (error.retryAfter === undefined) return Math.min(backoffMs, this.settings.maxPauseMs);
    const requestedMs = error.retryAfter * 1000;
    return requestedMs > this.settings.maxPauseMs ? undefined : Math.max(requestedMs, Math.min(backoffMs, firstPauseMs));
  }

  async #attempt<Body>(request: ApiRequest): Promise<Body> {
    const { timeoutMs } = this.settings;
    const timeout = startIdleTimeout(timeoutMs, request.signal);
    try {
      const response = await this.open(request, timeout.signal);
      const text = await response.text();
      if (!response.ok) throw readError(response, text);
      return readJson(response, text) as Body;
    } catch (error) {
      if (error instanceof FramewrightError) throw error;
      throw connectionError(request, timeout.hasExpired ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error), error);
    } finally {
      timeout.clear();
    }
  }

  /** Sends one request without retries. */
  open({ method, path, body, idempotencyKey }: ApiRequest, signal: AbortSignal, headers: Record<string, string> = {}): Promise<Response> {
    return this.settings.fetch(this.settings.baseUrl + path, {
      method,
      signal,
      headers: {
        'x-api-key': this.settings.apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}

/** Whether a request may be sent again: after 429 it had no effect, otherwise it must be idempotent. */
function mayRepeat({ method, idempotencyKey }: ApiRequest, { status, code }: FramewrightError): boolean {
  if (status === 429) return true;
  const isSafe = method === 'GET' || method === 'PATCH' || idempotencyKey !== undefined;
  return isSafe && (code === 'CONNECTION_FAILED' || status === 408 || (status !== undefined && status >= 500));
}

/** True for lost connections, 429 and errors of the service or a gateway. */
export function isTransient({ code, status = 0 }: FramewrightError): boolean {
  return code === 'CONNECTION_FAILED' || status === 429 || status >= 500;
}

function connectionError({ method, path }: ApiRequest, why: string, cause: unknown): FramewrightError {
  return new FramewrightError('CONNECTION_FAILED', `${method} ${path} was not answered: ${why}.`, { cause });
}

/** Text of an error; the one of fetch() is in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

function readJson(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FramewrightError('UNEXPECTED_ANSWER', `HTTP ${response.status} without the expected JSON: ${shortened(text)}`, {
      status: response.status,
      cause,
    });
  }
}

/** The error of a response from the service, or from a proxy in front of it. */
export function readError(response: Response, text: string): FramewrightError {
  const details = { status: response.status, retryAfter: readRetryAfter(response.headers.get('retry-after')) };
  const error = errorOf(text);
  if (error === undefined) return new FramewrightError('UNEXPECTED_ANSWER', `HTTP ${response.status}: ${shortened(text)}`, details);
  const { code, message, path, required, balance, limit, used } = error;
  return new FramewrightError(code, message, { ...details, path, required, balance, limit, used });
}

function errorOf(text: string): ErrorResponse['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorResponse>;
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Parses Retry-After, seconds or a date, to seconds. */
export function readRetryAfter(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 197)}...`;
}
