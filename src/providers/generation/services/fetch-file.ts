import type { GenerationServiceConfig } from '../../../config/index.js';
import { AppError } from '../../../errors/index.js';
import { type Outbound, redactUrl } from '../../../outbound/index.js';
import { ServiceError } from './service-error.js';

export interface FetchLimits {
  maxBytes: number;
  timeoutMs: number;
}

const STALL_MS = 30_000;

/** Downloads a service's result to `path`. Messages leave out its URL, which clients must not see. */
export async function fetchFile(
  url: string,
  path: string,
  call: FetchLimits & { service?: GenerationServiceConfig; signal: AbortSignal },
  outbound: Outbound,
): Promise<void> {
  const { maxBytes, timeoutMs, service, signal } = call;
  const authorization = service?.key === undefined ? undefined : `Bearer ${service.key}`;
  try {
    await outbound.download(url, path, { maxBytes, timeoutMs, stallMs: STALL_MS, signal, ...(authorization !== undefined && { authorization }) });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
    throw new ServiceError(`made a file that cannot be fetched: it ${error.message.replace(`${redactUrl(url)} `, '')}`);
  }
}
