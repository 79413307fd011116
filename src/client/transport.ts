import type { ErrorResponse } from '../contract/index.js';
import { FramewrightError } from './framewright-error.js';
import { sleep, watchSilence } from './waiting.js';

export type Fetch = (url: string, init: FetchRequest) => Promise<Response>;

export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  body?: string;
}

export interface TransportSettings {
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  /** Attempts after the first one. */
  retries: number;
  /** Longest pause before another attempt, in ms; who is told to wait longer gets the error instead. */
  maxPauseMs: number;
  /** How long an answer may stay away, in ms. */
  timeoutMs: number;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Makes a repetition the same request. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

const firstPauseMs = 500;

/** Sends requests until they are answered, as far as a repetition does no harm. */
export class Transport {
  readonly settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.settings = settings;
  }

  /** The answer's JSON; throws FramewrightError, or the reason of the signal. */
  async call<Answer>(request: ApiRequest): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt<Answer>(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        const pauseMs = this.#pauseBeforeNext(request, error, attempt);
        if (pauseMs === undefined) throw error;
        await sleep(pauseMs, request.signal);
      }
    }
  }

  /** Undefined when this was the last attempt. */
  #pauseBeforeNext(request: ApiRequest, error: unknown, attempt: number): number | undefined {
    if (!(error instanceof FramewrightError) || attempt >= this.settings.retries || !mayRepeat(request, error)) return undefined;
    // Half of it by chance, so that many clients do not come back at the same moment.
    const backoffMs = firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2);
    if (error.retryAfter === undefined) return Math.min(backoffMs, this.settings.maxPauseMs);
    const toldMs = error.retryAfter * 1000;
    return toldMs > this.settings.maxPauseMs ? undefined : Math.max(toldMs, Math.min(backoffMs, firstPauseMs));
  }

  async #attempt<Answer>(request: ApiRequest): Promise<Answer> {
    const { timeoutMs } = this.settings;
    const watch = watchSilence(timeoutMs, request.signal);
    try {
      const response = await this.open(request, watch.signal);
      const text = await response.text();
      if (!response.ok) throw readError(response, text);
      return readJson(response, text) as Answer;
    } catch (error) {
      if (error instanceof FramewrightError) throw error;
      throw lostConnection(request, watch.isOver ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error), error);
    } finally {
      watch.end();
    }
  }

  /** One request, answered or not. */
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

/** A refused request changed nothing. Of one whose outcome is not known only that may come again which makes nothing twice. */
function mayRepeat({ method, idempotencyKey }: ApiRequest, { status, code }: FramewrightError): boolean {
  if (status === 429) return true;
  const isSafe = method === 'GET' || method === 'PATCH' || idempotencyKey !== undefined;
  return isSafe && (code === 'CONNECTION_FAILED' || status === 408 || (status !== undefined && status >= 500));
}

function lostConnection({ method, path }: ApiRequest, why: string, cause: unknown): FramewrightError {
  return new FramewrightError('CONNECTION_FAILED', `${method} ${path} was not answered: ${why}.`, { cause });
}

/** fetch() says "fetch failed" and hides why in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

function readJson(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FramewrightError('UNEXPECTED_ANSWER', `HTTP ${response.status} without the JSON that was expected: ${shortened(text)}`, {
      status: response.status,
      cause,
    });
  }
}

/** The error of an answer: the service's own, or that of whatever stands before it. */
export function readError(response: Response, text: string): FramewrightError {
  const facts = { status: response.status, retryAfter: readRetryAfter(response.headers.get('retry-after')) };
  const told = errorOf(text);
  if (told === undefined) return new FramewrightError('UNEXPECTED_ANSWER', `HTTP ${response.status}: ${shortened(text)}`, facts);
  const { code, message, path, required, balance } = told;
  return new FramewrightError(code, message, { ...facts, path, required, balance });
}

function errorOf(text: string): ErrorResponse['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorResponse>;
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, from seconds or from a date. */
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
