import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../errors/index.js';
import { failureText, WebSocketError } from '../../../outbound/index.js';

/** A failure of a service; the message may be shown to clients. Transient failures are retried. */
export class ServiceError extends Error {
  readonly isTransient: boolean;

  constructor(message: string, isTransient = false) {
    super(message);
    this.isTransient = isTransient;
  }
}

/** Turns an HTTP status of a voice service into an error; `reason` is the service's own text. */
export function errorForStatus(status: number, reason: string): ServiceError {
  const why = reason === '' ? '' : `: ${reason.replace(/\s+/g, ' ').slice(0, 200)}`;
  if (status === 401 || status === 403) return new ServiceError(`does not accept this host's key (${status})${why}`);
  if (status === 404) return new ServiceError(`does not know the voice or the model (404)${why}`);
  return new ServiceError(`answered ${status}${why}`, status === 429 || status >= 500);
}

const RETRY_DELAYS_MS = [400, 1600];

/** Calls the service up to three times; a remaining failure ends the render with an error that names the service. */
export async function callService<T>(name: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (const delayMs of [...RETRY_DELAYS_MS, undefined]) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      const canRetry = isTransient(error);
      if (!canRetry || delayMs === undefined) throw toAppError(name, error);
      await sleep(delayMs, undefined, { signal });
    }
  }
  throw new Error('unreachable');
}

/** WebSocket close codes for refused requests, which a retry does not change. */
const permanentCloseCodes: ReadonlySet<number> = new Set([1003, 1007, 1008, 1009]);

function isTransient(error: unknown): boolean {
  if (error instanceof ServiceError) return error.isTransient;
  if (error instanceof WebSocketError && error.closeCode !== undefined) return !permanentCloseCodes.has(error.closeCode) && error.closeCode < 4000;
  return failureText(error) !== undefined;
}

function toAppError(name: string, error: unknown): AppError {
  const reason = error instanceof ServiceError ? error.message : failureText(error);
  if (reason === undefined) return new AppError('INTERNAL_ERROR', { detail: `the voice service ${name} failed: ${String(error)}`, cause: error });
  return new AppError('RENDER_FAILED', { message: `the voice service ${name} ${reason}`, detail: String(error), cause: error });
}
