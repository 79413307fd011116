import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerationServiceConfig } from '../../../config/index.js';
import { AppError } from '../../../errors/index.js';
import { failureText, type OutboundResponse } from '../../../outbound/index.js';

/** A failure of a service; the message follows the service's name and may be shown to clients. Transient failures are retried. */
export class ServiceError extends Error {
  readonly isTransient: boolean;

  constructor(message: string, isTransient = false) {
    super(message);
    this.isTransient = isTransient;
  }
}

/** Turns an HTTP status into an error. For a refused key it omits the service's message, which may quote the key. */
export function errorForStatus({ status, text }: OutboundResponse, { key }: GenerationServiceConfig): ServiceError {
  if (status === 401 || status === 403) return new ServiceError(`does not accept this host's key (${status})`);
  const reason = redacted(messageOf(parseJson(text)), key);
  const why = reason === '' ? '' : `: ${reason}`;
  return new ServiceError(`answered ${status}${why}`, status === 429 || status >= 500);
}

/** The service's own error message, from any of the fields that OpenAI-compatible services use. */
export function messageOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  if (typeof answer !== 'object' || answer === null) return '';
  const { error, message, detail } = answer as Record<string, unknown>;
  return [error, message, detail].map(messageOf).find((text) => text !== '') ?? '';
}

export function redacted(text: string, key: string | undefined): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return (key === undefined ? plain : plain.replaceAll(key, '…')).slice(0, 200);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const RETRY_DELAYS_MS = [400, 1600];

/** Calls `send` up to three times while its failures are transient. */
export async function retryTransient<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      const isTransient = error instanceof ServiceError ? error.isTransient : !(error instanceof AppError) && failureText(error) !== undefined;
      if (!isTransient) throw error;
      await sleep(delayMs, undefined, { signal });
    }
  }
  return send();
}

/** Turns a failure into the error that ends the render; its message names the provider. */
export function toAppError(kind: 'image' | 'video', { name, key }: GenerationServiceConfig, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const reason = error instanceof ServiceError ? error.message : failureText(error);
  const provider = `the ${kind} provider "${name}"`;
  const detail = redacted(String(error), key);
  if (reason === undefined) return new AppError('INTERNAL_ERROR', { detail: `${provider} failed: ${detail}`, cause: error });
  return new AppError('RENDER_FAILED', { message: `${provider} ${redacted(reason, key)}`, detail, cause: error });
}
